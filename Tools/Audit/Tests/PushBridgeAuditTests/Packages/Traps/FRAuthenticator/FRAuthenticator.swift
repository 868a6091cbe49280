// swift-format-ignore-file
import FRCore

public typealias SuccessCallback = () -> Void
public typealias ErrorCallback = (_ error: any Error) -> Void

open class Account: @unchecked Sendable {
    open var issuer = ""
    public var displayIssuer: String?
    public internal(set) var lock = false
    var secretNote = ""
    public init() {}
    open func lock(policy: any FRAPolicy) {}
    open var identifier: String { issuer }
}

open class Mechanism: @unchecked Sendable {
    public var mechanismUUID = ""
    open var issuer = ""
    public init() {}
}

public class PushMechanism: Mechanism {
    public var notifications: [PushNotification] = []
}

public class PushNotification: @unchecked Sendable {
    public var isPending = true
    public var message: String?
    public func accept(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {}
    public func accept(
        challengeResponse: String,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {}
    public func deny(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {}
}

public enum MechanismError: FRError {
    case invalidQRCode
    case alreadyExists(String)
}

public protocol FRAPolicy: AnyObject {
    var name: String { get }
    func evaluate() -> Bool
}

open class BiometricAvailablePolicy: FRAPolicy {
    public var name = "biometricAvailable"
    public init() {}
    open func evaluate() -> Bool { true }
}

public struct FRAPolicyEvaluator {
    public struct Result {
        public var comply = true
    }

    public init() {}
    public func evaluate(account: Account) -> Result { Result() }
}

public class FRAClient: @unchecked Sendable {
    nonisolated(unsafe) public static var shared: FRAClient?
    public static func start() {}
    public func getAllAccounts() -> [Account] { [] }
    public func getAccount(identifier: String) -> Account? { nil }
}
