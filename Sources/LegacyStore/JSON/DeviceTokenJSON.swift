import Foundation
import PushBridgeCore

/// The device token as the legacy SDK's `toJson()` writes it.
struct DeviceTokenJSON: Codable {
    let tokenId: JSONSecret
    let timeAdded: JSONSeconds

    init(_ token: PushDeviceToken) {
        tokenId = JSONSecret(token.tokenId)
        timeAdded = JSONSeconds(token.createdAt.timeIntervalSince1970)
    }

    /// The token, which is not empty.
    func token() throws(LegacyRecordError) -> PushDeviceToken {
        guard !tokenId.text.isEmpty else { throw .empty("tokenId") }
        return PushDeviceToken(tokenId: tokenId.text, createdAt: date)
    }

    // iOS writes seconds, Android milliseconds. 1e11 seconds is the year 5138, 1e11 ms is March 1973.
    private var date: Date {
        let isInMilliseconds = timeAdded.value > 1e11
        return Date(timeIntervalSince1970: timeAdded.value / (isInMilliseconds ? 1000 : 1))
    }
}
