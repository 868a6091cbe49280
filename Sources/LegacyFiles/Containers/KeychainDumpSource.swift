import Foundation
import LegacyStore
import PushBridgeFiles

/// A dump of a keychain; for example, a dump that a tool made from an encrypted backup.
///
/// A dump is JSON or a property list. At any depth, it contains objects with a service, a key and data, or objects
/// that have the name of a service and contain data under keys. Dump tools use different names and structures. A
/// dump is a copy, so no records are removed from it.
struct KeychainDumpSource: LegacySource {
    let url: URL
    let container: String
    private let found: [LegacyItem]
    /// The number of the dump's deleted items, which are not read.
    let deletedItems: Int

    /// Opens a JSON dump; `nil` for JSON lines, and for a file without items that PushBridge reads.
    init?(json url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let scanner = JSONScanner(bytes: try LegacyFile.contents(url, status))
        // A file whose first line is a complete value, and in which at least one line is an item, is not a dump but
        // JSON lines. In JSON lines, a line that is not an item counts as one damaged record.
        if scanner.isFirstLineWhole, try JSONLinesSource.hasItem(url) { return nil }
        var dump = Dump()
        let fault = scanner.collectItems(to: &dump)
        try self.init(url, "legacyJSON", dump, fault)
    }

    /// Opens a dump in a binary property list.
    ///
    /// Returns `nil` if the list cannot be read or contains no items that PushBridge reads.
    init?(binaryPropertyList url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let bytes = Data(try LegacyFile.contents(url, status))
        var dump = Dump()
        var fault: PropertyListError?
        do throws(PropertyListError) {
            fault = try BinaryPropertyList(bytes).reading { list throws(PropertyListError) in
                list.collectItems(to: &dump)
            }
        } catch {
            return nil
        }
        try self.init(url, "propertyList", dump, fault?.reason)
    }

    /// Opens a dump in an XML property list; `nil` if the file is not UTF-8 or contains no items that PushBridge reads.
    init?(xmlPropertyList url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let bytes = try LegacyFile.contents(url, status)
        // On Linux, Foundation's parser traps if an XML name is not UTF-8.
        guard String(bytes: bytes, encoding: .utf8) != nil else { return nil }
        let reader = XMLDumpReader()
        let fault = reader.read(bytes)
        try self.init(url, "propertyList", reader.dump, fault)
    }

    /// Creates a source for the items that were found; `nil` if there are none.
    ///
    /// A dump with a damaged part is rejected, because that part may contain items. While the items of all
    /// services are counted, such a dump is accepted.
    private init?(
        _ url: URL,
        _ container: String,
        _ dump: Dump,
        _ fault: String?
    ) throws(LegacyStoreError) {
        let name = url.relativePath
        if !FurtherServices.isCounting {
            if dump.isEmpty, let sentence = dump.hashedItems.sentence {
                throw .notALegacyStore("\(name) \(sentence)")
            }
            if !dump.isEmpty, let fault {
                throw .notALegacyStore("\(name) is a damaged dump of a keychain: \(fault)")
            }
        }
        guard !dump.isEmpty else { return nil }
        (self.url, self.container, found, deletedItems) = (url, container, dump.items, dump.deletedItems)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var items = found.makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in items.next() }
    }

    func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        throw .notWritable(
            "\(url.relativePath) is a dump of a keychain. Single records cannot be removed from it; delete the file."
        )
    }
}
