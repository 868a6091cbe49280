import Foundation
import PushBridgeCore

/// A realm, which is identified by its path, such as `/` or `/alpha/staff`.
public struct Realm: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The path, with a slash before every name.
    public let path: String

    /// The root realm.
    public static let root = Realm("/")

    /// Parses a path, and ignores repeated and trailing slashes.
    /// - Parameter path: The names of the realms from the root, for example `/customers/retail`.
    public init(_ path: String) {
        self.init(names: path.split(separator: "/"))
    }

    /// Creates a realm from its path.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    init(names: some Collection<Substring>) {
        path = "/" + names.joined(separator: "/")
    }

    var names: [Substring] { path.split(separator: "/") }
}

/// The form that the realm has in the address of a push service.
public enum RealmStyle: CaseIterable, Sendable {
    /// `/json/alpha/…`
    case short
    /// `/json/realms/root/realms/alpha/…`
    case full
    /// `/json/…&realm=/alpha`
    case query

    func address(base: String, realm: Realm, action: String) -> String {
        let names = realm.names.map(\.percentEncoded)
        let middle =
            switch self {
            case .short: names.map { "/\($0)" }.joined()
            case .full: "/realms/root" + names.map { "/realms/\($0)" }.joined()
            case .query: ""
            }
        let query = self == .query ? "&realm=/\(names.joined(separator: "/"))" : ""
        return "\(base)/json\(middle)/push/sns/message?_action=\(action)\(query)"
    }
}

extension Realm {
    /// Reads the realm from an address of a push service, in any style; `nil` for any other address.
    /// - Parameter address: The address of an endpoint of the push service.
    public init?(address: String) {
        guard let parts = URLComponents(string: address) else { return nil }
        let query = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let request = SimulatedRequest(
            "POST",
            path: parts.path,
            query: Dictionary(query) { first, _ in first }
        )
        self.init(addressedBy: request)
    }

    /// Reads the realm from the address of a request to a push service, in any style; `nil` for any other request.
    init?(addressedBy request: SimulatedRequest) {
        let parts = request.path.split(separator: "/")
        let tail = ["push", "sns", "message"]
        guard
            let json = parts.firstIndex(of: "json"), parts.count - json > tail.count,
            parts.suffix(tail.count).elementsEqual(tail, by: ==)
        else { return nil }
        self.init(parts[(json + 1)...].dropLast(tail.count), query: request.query)
    }

    /// Reads the realm from the names between `json` and the resource in the path, or from the query if there are no
    /// names.
    ///
    /// If the names begin with `realms/root`, the rest must have the form `realms/a/realms/b`; otherwise, the result is
    /// `nil`.
    init?(_ names: ArraySlice<Substring>, query: [String: String]) {
        if names.isEmpty, let realm = query["realm"] {
            self.init(realm)
        } else if names.starts(with: ["realms", "root"]) {
            guard let names = Self.names(names.dropFirst(2)) else { return nil }
            self.init(names: names)
        } else {
            self.init(names: names)
        }
    }

    /// Returns the names in a path such as `realms/a/realms/b`; `nil` if the path has a different form.
    private static func names(_ parts: ArraySlice<Substring>) -> [Substring]? {
        let pairs = Array(parts)
        guard pairs.count.isMultiple(of: 2) else { return nil }
        var names: [Substring] = []
        for index in stride(from: 0, to: pairs.count, by: 2) {
            guard pairs[index] == "realms" else { return nil }
            names.append(pairs[index + 1])
        }
        return names
    }
}

extension Substring {
    /// The text, with all characters percent-encoded except the unreserved characters of RFC 3986.
    fileprivate var percentEncoded: String {
        utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : String(format: "%%%02X", byte)
        }
        .joined()
    }
}

/// The servers that share the push service's address.
public enum Topology: Equatable, Sendable {
    /// One server.
    case single
    /// A load balancer in front of several servers, which send messages in turn.
    ///
    /// A request without the sender's cookie arrives at another server. That server reads the message from the token
    /// store; without a token store, it cannot find the message.
    case balanced(nodes: [String], tokenStore: Bool)

    static let cookieName = "amlbcookie"

    /// Returns the server that sends the message with this number.
    func sender(of number: Int) -> String {
        guard case .balanced(let nodes, _) = self, !nodes.isEmpty else { return "01" }
        return nodes[number % nodes.count]
    }

    /// Returns where the server that receives a request finds the messages of `sender`; `nil` if it cannot find them.
    ///
    /// The request's `Cookie` header determines which server receives the request.
    func location(of sender: String, cookie: String?, for kind: PushSender) -> MessageLocation? {
        let own: MessageLocation = kind == .module ? .memory : .tokenStore
        switch self {
        case .single: return own
        case .balanced(_, let hasTokenStore):
            if Self.pairs(cookie).contains(Self.pair(sender)) { return own }
            return hasTokenStore ? .tokenStore : nil
        }
    }

    /// Returns the cookie pair of a node.
    static func pair(_ node: String) -> String { "\(cookieName)=\(node)" }

    private static func pairs(_ cookie: String?) -> [String] {
        (cookie ?? "").split(separator: ";").map { String($0.drop { $0 == " " }) }
    }
}

/// The place where a server finds the message that a device answers.
///
/// The place determines what the `deny` claim means, and which of several answers is valid.
enum MessageLocation {
    /// The memory of the server that sent the message.
    ///
    /// The first answer consumes the message. A `deny` claim is a denial unless its value is
    /// `false`.
    case memory
    /// PingAM's token store, in which servers share their messages.
    ///
    /// A `deny` claim with any value is a denial. The last answer before the login page polls is valid.
    case tokenStore

    /// Returns whether the claims of an answer mean a denial.
    func denies(_ claims: JSONValue) -> Bool {
        guard let deny = claims["deny"] else { return false }
        return self == .tokenStore || deny != .bool(false)
    }
}
