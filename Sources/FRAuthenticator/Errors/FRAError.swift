public import FRCore
import Foundation

/// Why the authenticator could not be set up.
public enum FRAError: FRError {
    /// The storage cannot change once the client started.
    case invalidStateForChangingStorage
    /// The storage did not take something.
    case failToSaveIntoStorageClient(String)
    /// The policy evaluator cannot change once the client started.
    case invalidStateForChangingPolicyEvaluator
    /// A policy cannot be registered.
    case invalidPolicyRegisteredWithPolicyEvaluator(String)

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.fra"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .invalidStateForChangingStorage: 8_000_000
        case .failToSaveIntoStorageClient: 8_000_001
        case .invalidStateForChangingPolicyEvaluator: 8_000_002
        case .invalidPolicyRegisteredWithPolicyEvaluator: 8_000_003
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .invalidStateForChangingStorage: "The storage cannot change once the client started."
        case .failToSaveIntoStorageClient(let reason): "The storage failed: \(reason)"
        case .invalidStateForChangingPolicyEvaluator:
            "The policy evaluator cannot change once the client started."
        case .invalidPolicyRegisteredWithPolicyEvaluator(let reason):
            "The policy cannot be registered: \(reason)"
        }
    }
}
