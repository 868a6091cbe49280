import Foundation

/// The two addresses of a push service, exactly as the registration QR gave them.
///
/// They may differ in host and carry other query items, so neither is ever derived from the other.
public struct PushEndpoints: Equatable, Sendable {
    /// Where registration answers go, with `_action=register`.
    public let registration: String
    /// Where login answers go, with `_action=authenticate`.
    public let authentication: String
    /// Scheme, host, port and path of the registration address, or the server's address that both were derived from.
    public let server: String

    /// Keeps both texts verbatim, or returns `nil` if one is not an absolute URL with a host.
    ///
    /// - Parameters:
    ///   - registration: Where registration answers go.
    ///   - authentication: Where login answers go.
    public init?(registration: String, authentication: String) {
        self.init(registration: registration, authentication: authentication, server: nil)
    }

    /// As above, with the address of the server that both may have been derived from.
    init?(registration: String, authentication: String, server: String?) {
        guard Self.isAbsolute(registration), Self.isAbsolute(authentication) else { return nil }
        self.init(unchecked: registration, authentication: authentication, server: server)
    }

    fileprivate init(unchecked registration: String, authentication: String, server: String?) {
        self.registration = registration
        self.authentication = authentication
        self.server = server ?? String(registration.prefix { $0 != "?" && $0 != "#" })
    }

    /// The address for a new device token: the registration address with `_action=refresh`, otherwise unchanged.
    public var update: String {
        registration.replacingOccurrences(of: "_action=register", with: "_action=refresh")
    }

    /// The server's address without a query, which not every store keeps.
    package var bareServer: Substring { server.prefix { $0 != "?" && $0 != "#" } }

    /// Whether `text` is an address of the kind a QR code may name.
    static func isWebAddress(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        return (scheme == "https" || scheme == "http") && isAbsolute(text)
    }

    fileprivate static func isAbsolute(_ text: String) -> Bool {
        guard let url = URL(string: text) else { return false }
        return url.scheme != nil && url.host?.isEmpty == false
    }
}

extension PushEndpoints {
    /// The addresses that follow from the server's, for stores that keep nothing else.
    ///
    /// Query items of `server` stay, save `_action`. `nil` if it is not an absolute URL with a host.
    ///
    /// - Parameter server: The address of the server's push service.
    public init?(server: String) {
        guard Self.isAbsolute(server) else { return nil }
        self.init(uncheckedServer: server)
    }

    /// The addresses that follow from text that may not be an address; then requests to them fail.
    package init(uncheckedServer server: String) {
        let parts = server.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter {
            !$0.hasPrefix("_action=")
        }
        let query = items.map { "\($0)&" }.joined()
        let address = "\(parts.first ?? "")?\(query)"
        self.init(
            unchecked: "\(address)_action=register",
            authentication: "\(address)_action=authenticate",
            server: server
        )
    }
}
