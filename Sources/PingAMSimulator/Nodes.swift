import Foundation
public import PushBridgeCore

/// A realm by its path, such as `/` or `/alpha/staff`.
public struct Realm: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The path, with a slash before every name.
    public let path: String

    /// The realm above all others.
    public static let root = Realm("/")

    /// Reads a path; slashes too many or at its end do not count.
    public init(_ path: String) {
        self.init(names: path.split(separator: "/"))
    }

    /// Reads a path.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    init(names: some Collection<Substring>) {
        path = "/" + names.joined(separator: "/")
    }

    var names: [Substring] { path.split(separator: "/") }
}

/// How a push service's address names its realm.
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
    /// The realm whose push service an address names, in any style; `nil` if it names none.
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

    /// The realm whose push service a request addresses, in any style; `nil` if it addresses none.
    init?(addressedBy request: SimulatedRequest) {
        let parts = request.path.split(separator: "/")
        let tail = ["push", "sns", "message"]
        guard
            let json = parts.firstIndex(of: "json"), parts.count - json > tail.count,
            parts.suffix(tail.count).elementsEqual(tail, by: ==)
        else { return nil }
        let middle = Array(parts[(json + 1)...].dropLast(tail.count))
        if middle.isEmpty, let realm = request.query["realm"] {
            self.init(realm)
        } else if middle.starts(with: ["realms", "root"]) {
            guard let names = Self.names(middle.dropFirst(2)) else { return nil }
            self.init(names: names)
        } else {
            self.init(names: middle)
        }
    }

    /// The names in `realms/a/realms/b`.
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
    /// The text with everything but RFC 3986's unreserved characters encoded.
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

/// The nodes behind the push service's address.
public enum Topology: Equatable, Sendable {
    /// One node and no load balancer cookie.
    case single(NodeMode)
    /// A load balancer before several nodes, which take turns in sending messages.
    ///
    /// A request without the sender's cookie arrives at another node. That node answers from the token store, or,
    /// without one, does not know the message.
    case balanced(nodes: [String], tokenStore: Bool)

    static let cookieName = "amlbcookie"

    /// The node that sends the message with this number.
    func sender(of number: Int) -> String? {
        guard case .balanced(let nodes, _) = self, !nodes.isEmpty else { return nil }
        return nodes[number % nodes.count]
    }

    /// The mode of the node at which a request with this `Cookie` header arrives, or `nil` if that node does not
    /// know the messages of `sender`.
    func mode(of sender: String?, cookie: String?) -> NodeMode? {
        switch self {
        case .single(let mode): mode
        case .balanced(_, let tokenStore):
            if let sender, Self.pairs(cookie).contains(Self.pair(sender)) {
                .local
            } else {
                tokenStore ? .tokenStore : nil
            }
        }
    }

    /// The cookie pair of a node.
    static func pair(_ node: String) -> String { "\(cookieName)=\(node)" }

    private static func pairs(_ cookie: String?) -> [String] {
        (cookie ?? "").split(separator: ";").map { String($0.drop { $0 == " " }) }
    }
}

/// How a node comes by the message that is answered, which decides what a `deny` claim means.
public enum NodeMode: Sendable {
    /// The node sent the message itself: `deny` denies only when it is `true`.
    case local
    /// The node finds the message in the shared token store: any `deny` denies, whatever its value.
    case tokenStore

    /// Whether an answer with these claims denies.
    public func denies(_ claims: JSONValue) -> Bool {
        guard case .object(let members) = claims, let deny = members["deny"] else { return false }
        return switch self {
        case .local: deny == .bool(true)
        case .tokenStore: true
        }
    }
}
