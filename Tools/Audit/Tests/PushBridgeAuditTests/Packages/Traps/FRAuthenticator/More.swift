// swift-format-ignore-file
import FRCore

public struct OathTokenCode: Codable, Equatable {
    public let code: String
    public internal(set) var progress: Float = 0
}

public final class TOTPMechanism: Mechanism {
    public func generateCode() throws -> OathTokenCode { OathTokenCode(code: "1") }
}

public enum PushType: String, Codable, CaseIterable {
    case `default`, challenge, biometric
}

open class FRAPushHandler: @unchecked Sendable {
    public static let shared = FRAPushHandler()
    public required init() {}
    open var deviceToken: String? { nil }
    open func application(_ name: String, didRegister token: [UInt8]) {}
}

public protocol StorageClient {
    func setAccount(account: Account) -> Bool
    func getAllAccounts() -> [Account]
    var isEmpty: Bool { get }
}

public protocol FRALogger: AnyObject {
    associatedtype Line
    static var level: Int { get }
    func log(_ line: Line)
    init()
}

extension StorageClient {
    public var isEmpty: Bool { getAllAccounts().isEmpty }
}

extension Account: Equatable {
    public static func == (one: Account, other: Account) -> Bool { one === other }
    public subscript(index: Int) -> Mechanism? { nil }
    public static func < (one: Account, other: Account) -> Bool { one.issuer < other.issuer }
}
