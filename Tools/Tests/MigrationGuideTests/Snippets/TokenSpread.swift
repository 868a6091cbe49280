import Foundation
import PingPush

/// Prevents a million phones from sending a token within the same minute.
enum TokenSpread {
    // guide: begin
    /// Returns the delay of this device within a window; for one device, the delay is always the same.
    static func delay(ofDevice id: UUID, within window: TimeInterval) -> TimeInterval {
        let hash = id.uuidString.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return window * TimeInterval(hash >> 11) / 0x1p53
    }

    /// Sends the first token after the device's delay, and changed tokens at once; call it at every launch.
    ///
    /// `id` is created once and stored; `updated` is the time when this version first ran.
    static func setToken(
        _ token: Data,
        on client: PushClient,
        device id: UUID,
        updated: Date,
        now: Date = Date()
    ) async throws {
        let due = updated + delay(ofDevice: id, within: 86_400)
        if try await client.getDeviceToken() == nil, now < due { return }
        try await client.setDeviceToken(token)
    }
    // guide: end
}
