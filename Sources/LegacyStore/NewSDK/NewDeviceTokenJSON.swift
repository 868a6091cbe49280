import PushBridgeCore

/// The device token of the new SDK.
struct NewDeviceTokenJSON: Decodable {
    @Nullable var token: String?
    @Nullable var tokenId: String?
    let createdAt: ISODate

    /// The token, which is not empty.
    func deviceToken() throws(LegacyRecordError) -> PushDeviceToken {
        guard let text = tokenId ?? token else { throw .missing("token") }
        guard !text.isEmpty else { throw .empty("token") }
        return PushDeviceToken(tokenId: text, createdAt: createdAt.date)
    }
}
