public import Foundation
public import PushBridgeCore

/// The settings of the simulated service.
public struct ServiceSettings: Equatable, Sendable {
    /// The realms that have a push service.
    public var realms: Set<Realm> = [.root, "/alpha"]
    /// The style of the addresses in registration QR codes.
    ///
    /// Requests may use any style.
    public var realmStyle = RealmStyle.short
    /// The version of the server.
    public var version = ServerVersion.v8_0_2
    /// The part of the server that creates codes and sends pushes.
    public var sender = PushSender.node
    /// The servers that share the service's address.
    public var topology = Topology.single
    /// The number of seconds after which a push or registration message expires.
    ///
    /// The time limit in a push has no effect on this lifetime.
    public var messageLifetime: TimeInterval = 120
    /// Whether a user may have several devices.
    ///
    /// Servers store only one profile for each user, unless the servers were customised.
    public var allowsSeveralDevices = false
    /// The number of seconds for which the registration page of a node waits for the device.
    public var registrationPatience: TimeInterval = 60
    /// Whether registration pages poll automatically.
    ///
    /// If not, a device that registers is stored only when ``SimulatedService/look(afterRegistration:at:)`` is called.
    public var pagesLook = true
    /// The device tokens for which Amazon's Simple Notification Service has no endpoint.
    public var tokensWithoutEndpoint: Set<String> = []
    /// The alternatives that replace the simulator's inferred default behaviour.
    public var alternatives: Set<ServerAlternative> = []
    /// The seed from which ids, secrets and challenges are generated; `nil` means the system's random
    /// generator.
    ///
    /// Two services with the same seed generate the same values in the same order.
    public var seed: UInt64?
    /// The scheme, host, port and deployment path of the service.
    ///
    /// A ``Simulator`` replaces this value.
    public var base = "http://127.0.0.1/am"

    /// Creates settings for a single server that uses nodes, with the realms `/` and `/alpha`.
    public init() {}

    func has(_ alternative: ServerAlternative) -> Bool { alternatives.contains(alternative) }
}

/// An error that a method of the simulator throws.
///
/// If a device's request fails, the device receives an error response instead.
public struct SimulatorError: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The realm has no push service.
        case noPushService
        /// No device is registered with this id.
        case unknownMechanism
        /// The user already has a device or one-time passwords, so no code is created.
        case alreadyRegistered
        /// The device has no token, or Amazon's service has disabled the device's endpoint.
        case unreachable
        /// The custom payload is too large for servers to send, or the push is too large for APNs to deliver.
        case payloadTooLarge
        /// The order is invalid.
        case invalidOrder
        /// The port is in use, the process has no permission to use the port, or the server cannot continue
        /// to listen.
        case portUnavailable
    }

    /// The kind of failure.
    public let code: Code
    /// A sentence that describes the error to people.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: A sentence that describes the error to people.
    public init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The random generator for the service's ids, secrets and challenges.
///
/// With a seed it is SplitMix64; without a seed it is the system's generator.
@_spi(PushBridgeTools) public struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64?

    /// Creates a generator with a seed; `nil` means the system's generator.
    @_spi(PushBridgeTools) public init(seed: UInt64?) {
        state = seed
    }

    /// Returns the next number.
    @_spi(PushBridgeTools) public mutating func next() -> UInt64 {
        guard let last = state else { return UInt64.random(in: .min ... .max) }
        let state = last &+ 0x9E37_79B9_7F4A_7C15
        self.state = state
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int = 32) -> Data {
        Data((0..<count).map { _ in UInt8(truncatingIfNeeded: next()) })
    }

    /// Creates a secret of 32 random bytes.
    @_spi(PushBridgeTools) public mutating func secret() -> SharedSecret {
        SharedSecret(bytes: bytes()) ?? .random()
    }

    /// Creates a random UUID: version 4, variant of RFC 9562.
    mutating func uuid() -> String {
        var drawn = bytes(16)
        drawn[6] = drawn[6] & 0x0F | 0x40
        drawn[8] = drawn[8] & 0x3F | 0x80
        let digits = drawn.map { String(format: "%02x", $0) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// Creates the three two-digit numbers of a push; the first is the number that the user must choose.
    ///
    /// The numbers differ from each other unless `mayRepeat` is true.
    mutating func numbers(mayRepeat: Bool) -> [Int] {
        mayRepeat
            ? (0..<3).map { _ in Int.random(in: 10...99, using: &self) }
            : Array((10...99).shuffled(using: &self).prefix(3))
    }
}
