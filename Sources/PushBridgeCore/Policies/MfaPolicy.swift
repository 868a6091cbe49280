import Foundation

/// A condition on the device that a server attaches to an account by name.
public protocol MfaPolicy: Sendable {
    /// The name under which servers attach the policy.
    var name: String { get }
    /// Whether the device complies, with the parameters that the server attached.
    func isSatisfied(by parameters: JSONValue) -> Bool
}

/// Demands that the device offers biometric authentication; the policy `biometricAvailable`.
public struct BiometricAvailablePolicy: MfaPolicy {
    /// `biometricAvailable`.
    public let name = "biometricAvailable"
    private let isAvailable: @Sendable () -> Bool

    /// Takes the probe that asks the platform.
    public init(isAvailable: @escaping @Sendable () -> Bool) {
        self.isAvailable = isAvailable
    }

    /// Whether biometric authentication is available; takes no parameters.
    public func isSatisfied(by parameters: JSONValue) -> Bool { isAvailable() }
}

/// Demands that the device was not tampered with; the policy `deviceTampering`.
public struct DeviceTamperingPolicy: MfaPolicy {
    /// The score that counts as tampered where the server names none.
    public static let standardThreshold = 1.0

    /// `deviceTampering`.
    public let name = "deviceTampering"
    private let score: @Sendable () -> Double

    /// Takes the probe that scores the device: 0 is sound, 1 is tampered, below 0 is unknown.
    public init(score: @escaping @Sendable () -> Double) {
        self.score = score
    }

    /// Whether the device's score lies below the parameter `score`; a score that is no number does not.
    public func isSatisfied(by parameters: JSONValue) -> Bool {
        score() < (parameters["score"]?.doubleValue ?? Self.standardThreshold)
    }
}

extension JSONValue {
    /// The value of a number, or of text that is one.
    fileprivate var doubleValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }
}
