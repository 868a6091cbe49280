public import FRCore
import Foundation

/// Why an account could not be used, locked or unlocked.
public enum AccountError: FRError {
    /// A policy locked the account; its name.
    case accountLocked(String)
    /// The policy to lock with has no name.
    case failToLockMissingPolicyName
    /// The policy to lock with is none of the account's.
    case failToLockInvalidPolicy
    /// The account is locked already.
    case failToLockAccountAlreadyLocked
    /// The account is not locked.
    case failToUnlockAccountNotLocked
    /// The device does not comply with a policy of the registration code; its name.
    case failToRegisterPolicyViolation(String)

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.account"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .accountLocked: 6_100_000
        case .failToLockMissingPolicyName: 6_100_001
        case .failToLockInvalidPolicy: 6_100_002
        case .failToLockAccountAlreadyLocked: 6_100_003
        case .failToUnlockAccountNotLocked: 6_100_004
        case .failToRegisterPolicyViolation: 6_100_005
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .accountLocked(let policy): "The account is locked by the policy \(policy)."
        case .failToLockMissingPolicyName: "The policy to lock the account with has no name."
        case .failToLockInvalidPolicy: "The policy to lock the account with is none of its own."
        case .failToLockAccountAlreadyLocked: "The account is locked already."
        case .failToUnlockAccountNotLocked: "The account is not locked."
        case .failToRegisterPolicyViolation(let policy):
            "The device does not comply with the policy \(policy)."
        }
    }
}
