package import PushBridgeCore

/// The header fields that the legacy API sends beside those of the protocol.
package enum LegacyHeaders {
    static let all = [
        "Accept": "application/json",
        "x-requested-with": "forgerock-sdk",
        "x-requested-platform": "ios",
    ]
}

extension PushRequest {
    /// The request as the legacy API sends it.
    package var withLegacyHeaders: PushRequest {
        var request = self
        request.headers += LegacyHeaders.all.sorted { $0.key < $1.key }.map { Header($0.key, $0.value) }
        return request
    }
}
