public import FRCore
import Foundation

/// Why a mechanism could not be made or used.
public enum MechanismError: FRError {
    /// The text is no registration code.
    case invalidQRCode
    /// The registration code is for a kind of mechanism that is not known.
    case invalidType
    /// The registration code lacks a parameter.
    case missingInformation(String)
    /// A value makes no sense.
    case invalidInformation(String)
    /// A mechanism of this kind is there for the account; its identifier.
    case alreadyExists(String)
    /// A change could not be stored.
    case failedToUpdateInformation(String)

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.mechanism"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .invalidQRCode: 6_000_000
        case .invalidType: 6_000_001
        case .missingInformation: 6_000_002
        case .invalidInformation: 6_000_003
        case .alreadyExists: 6_000_004
        case .failedToUpdateInformation: 6_000_005
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .invalidQRCode: "This is not a registration code."
        case .invalidType: "The registration code is for an unknown kind of mechanism."
        case .missingInformation(let reason): "Something is missing: \(reason)"
        case .invalidInformation(let reason): "Something makes no sense: \(reason)"
        case .alreadyExists(let identifier): "The mechanism \(identifier) is there already."
        case .failedToUpdateInformation(let reason): "The change could not be stored: \(reason)"
        }
    }
}
