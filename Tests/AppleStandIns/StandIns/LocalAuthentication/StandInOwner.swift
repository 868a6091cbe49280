import Synchronization

/// The owner of the device and the device's capabilities, which a test can change.
public struct StandInOwner: Sendable {
    /// One authentication request that the owner received.
    public struct Question: Equatable, Sendable {
        /// The policy of the request.
        public let policy: LAPolicy
        /// The reason of the request.
        public let reason: String

        /// Makes a question.
        public init(_ policy: LAPolicy, _ reason: String) {
            self.policy = policy
            self.reason = reason
        }
    }

    /// Whether the device has biometrics that the app is permitted to use.
    public var hasBiometrics = true
    /// Whether the device has a passcode.
    public var hasPasscode = true
    /// Whether the owner authenticates; otherwise the owner cancels.
    public var passes = true
    /// The authentication requests that the owner received, in order.
    public private(set) var questions: [Question] = []

    /// Reads or changes the device and its owner.
    @discardableResult
    public static func with<Value>(_ body: (inout sending StandInOwner) -> sending Value) -> sending Value {
        shared.withLock(body)
    }

    /// Restores the initial state: the owner authenticates and received no requests, and the device has biometrics and
    /// a passcode.
    public static func reset() {
        shared.withLock { $0 = StandInOwner() }
    }

    func obstacle(_ policy: LAPolicy) -> LAError? {
        guard hasPasscode else { return LAError(.passcodeNotSet) }
        return hasBiometrics || policy == .deviceOwnerAuthentication ? nil : LAError(.biometryNotAvailable)
    }

    mutating func answer(_ policy: LAPolicy, _ reason: String) -> LAError? {
        if let obstacle = obstacle(policy) { return obstacle }
        questions.append(Question(policy, reason))
        return passes ? nil : LAError(.userCancel)
    }

    private static let shared = Mutex(StandInOwner())
}
