import PushBridgeCore

extension LegacyItem {
    /// Reads the record this item holds.
    ///
    /// Any bytes whatever are answered with a record or a ``LegacyRecordError``; nothing is checked that the
    /// record's shape does not demand.
    public func decoded() throws(LegacyRecordError) -> DecodedItem {
        switch payload {
        case .archive(let archive):
            // Whoever has the key opens the store's items before they are read.
            if SealedItem(archive) != nil { throw .undecryptable }
            return DecodedItem(record: try LegacyRecord(archive: archive, service: service))
        case .json(let json): return try DecodedItem(json: json, service: service, isExported: false)
        case .exportedJSON(let json): return try DecodedItem(json: json, service: service, isExported: true)
        case .newSDK(let json): return try DecodedItem(newSDK: json, service: service)
        case .unreadable(let error): throw error
        }
    }
}
