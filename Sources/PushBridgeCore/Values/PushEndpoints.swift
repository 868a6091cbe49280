import Foundation

/// The two addresses of a push service, as in the registration's QR code, or derived from the server's address.
///
/// In a QR code, the two addresses may have different hosts and query items, so neither address is derived from the
/// other.
public struct PushEndpoints: Equatable, Sendable {
    /// The address for registration, with `_action=register`.
    public let registration: String
    /// The address for answers to pushes, with `_action=authenticate`.
    public let authentication: String
    /// The scheme, host, port and path of the registration address, or the server's address from which both
    /// addresses were derived.
    public let server: String

    /// Creates endpoints from two unchanged addresses; `nil` if one of them is not an absolute URL with a
    /// host.
    ///
    /// - Parameters:
    ///   - registration: The address for registration.
    ///   - authentication: The address for answers to pushes.
    public init?(registration: String, authentication: String) {
        self.init(registration: registration, authentication: authentication, server: nil)
    }

    /// Creates endpoints; `server` is the server's address if both addresses were derived from it.
    init?(registration: String, authentication: String, server: String?) {
        guard Self.isAbsolute(registration), Self.isAbsolute(authentication) else { return nil }
        self.init(unchecked: registration, authentication: authentication, server: server)
    }

    fileprivate init(unchecked registration: String, authentication: String, server: String?) {
        self.registration = registration
        self.authentication = authentication
        self.server = server ?? String(registration.prefix { $0 != "?" && $0 != "#" })
    }

    /// The address for a new device token: the registration address with `_action=refresh`.
    public var update: String {
        registration.replacingOccurrences(of: "_action=register", with: "_action=refresh")
    }

    /// The server's address without its query; some stores do not save the query.
    package var bareServer: Substring { server.prefix { $0 != "?" && $0 != "#" } }

    /// Returns whether `text` is an absolute `http` or `https` address, as a QR code has to contain.
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
    /// Derives both addresses from the server's address, for stores that save no other address.
    ///
    /// The addresses have the query items of `server`, except `_action`. The result is `nil` if `server` is not an
    /// absolute URL with a host.
    ///
    /// - Parameter server: The address of the server's push service.
    public init?(server: String) {
        guard Self.isAbsolute(server) else { return nil }
        self.init(uncheckedServer: server)
    }

    /// Derives both addresses from unchecked text; if the text is not an address, requests to them fail.
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
