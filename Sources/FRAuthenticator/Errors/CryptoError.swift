public import FRCore
import Foundation

/// Why something could not be signed or verified.
public enum CryptoError: FRError {
    /// A parameter makes no sense; its name.
    case invalidParam(String)
    /// Bytes are not in the encoding they should be in.
    case failToConvertData
    /// A token is malformed or signed wrongly.
    case invalidJWT
    /// A token is signed in a way that is not known.
    case unsupportedJWTType

    /// The domain of the numbers.
    public static let domain = "com.forgerock.ios.frauthenticator.crypto"

    /// The number of the case.
    public var code: Int {
        switch self {
        case .invalidParam: 1_200_000
        case .failToConvertData: 1_200_001
        case .invalidJWT: 1_200_002
        case .unsupportedJWTType: 1_200_003
        }
    }

    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .invalidParam(let name): "The parameter \(name) makes no sense."
        case .failToConvertData: "Data is not in the encoding it should be in."
        case .invalidJWT: "The token is malformed or signed wrongly."
        case .unsupportedJWTType: "The token is signed in an unknown way."
        }
    }
}
