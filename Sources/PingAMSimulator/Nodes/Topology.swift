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
