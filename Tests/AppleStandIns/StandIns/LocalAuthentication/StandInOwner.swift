import Synchronization

/// The owner of the one device, and what the device offers; what a test can change.
public struct StandInOwner: Sendable {
    /// What the owner was asked.
    public struct Question: Equatable, Sendable {
        /// How.
        public let policy: LAPolicy
        /// Why.
        public let reason: String

        /// Makes a question.
        public init(_ policy: LAPolicy, _ reason: String) {
            self.policy = policy
            self.reason = reason
        }
    }

    /// Whether the device has biometrics that the app may use.
    public var hasBiometrics = true
    /// Whether the device has a passcode.
    public var hasPasscode = true
    /// Whether the owner passes; else the owner cancels.
    public var passes = true
    /// What the owner was asked, in this order.
    public private(set) var questions: [Question] = []

    /// Reads or changes the device and its owner.
    @discardableResult
    public static func with<Value>(_ body: (inout sending StandInOwner) -> sending Value) -> sending Value {
        shared.withLock(body)
    }

    /// Makes the owner one who passes, on a device that offers everything.
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
