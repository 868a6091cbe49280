import PushBridgeCore

extension PushDeviceToken {
    /// Reads an archived device token.
    init(_ object: ArchivedObject) throws(LegacyRecordError) {
        self.init(tokenId: try object.identifier(.tokenId), createdAt: try object.date(.timeAdded))
    }

    /// The token as the fields of an archive.
    var archiveFields: KeyedArchiveBuilder {
        var archive = KeyedArchiveBuilder()
        archive.add(tokenId, for: .tokenId)
        archive.add(createdAt, for: .timeAdded)
        return archive
    }
}
