// swift-format-ignore-file
// Types of another package with the names of legacy types.
public struct Account {
    public var issuer = ""
    public init() {}
    public func lock() {}
}

public final class FRAClientStandIn {
    public static func start() {}
    public init() {}
    public func getAllAccounts() -> [Account] { [] }
}

extension String {
    public func base64Encoded(_ padded: Bool) -> String { self }
}
