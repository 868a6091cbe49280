public import Foundation

/// The way in which the context authenticates the device's owner.
public enum LAPolicy: Int, Sendable {
    /// The owner authenticates by face or finger only.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// The owner authenticates by face or finger, or else by the passcode.
    case deviceOwnerAuthentication = 2
}

/// Asks the owner of the device to authenticate; ``StandInOwner`` determines the result.
public final class LAContext {
    /// An object that lives as long as its context, so that an evaluation can detect that the context was deallocated.
    private final class Life: Sendable {}

    private let life = Life()

    /// The reason that the prompt shows to the owner.
    public var localizedReason = ""

    /// Makes a context.
    public init() {}

    /// Returns whether the device supports the policy; if it does not, sets `error`.
    public func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool {
        let obstacle = StandInOwner.with { $0.obstacle(policy) }
        if let obstacle { error?.pointee = obstacle as NSError }
        return obstacle == nil
    }

    /// Asks the owner to authenticate; throws an error if the owner does not authenticate.
    public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        defer { withExtendedLifetime(self) {} }
        return try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { passes, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: passes)
                }
            }
        }
    }

    /// Asks the owner to authenticate, and calls `reply` on a queue other than the main queue.
    public func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!localizedReason.isEmpty, "The system raises an exception for an empty reason.")
        // The system calls `reply` after this method has returned. If nothing retains the context, the context has
        // been deallocated by then, and the evaluation fails.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { [weak life] in
            guard life != nil else { return reply(false, LAError(.invalidContext)) }
            let refusal = StandInOwner.with { $0.answer(policy, localizedReason) }
            reply(refusal == nil, refusal)
        }
    }
}
