package import LegacyStore
package import PushBridgeCore

extension PreservedRecord {
    /// Reads what was kept, as if it still lay in its source.
    package func decoded() throws(LegacyRecordError) -> DecodedItem {
        try SourceRecord(self).content.get()
    }
}
