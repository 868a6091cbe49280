public import Foundation
public import Logging
import PingLogger
public import PushBridgeCore

/// What an ``OathClient`` is made from.
public struct OathConfiguration: Sendable {
    /// Where credentials live; `nil` is `StandardStore`, which push credentials share.
    public var storage: (any OathStorage)?
    /// Locks and unlocks credentials as their policies demand; `nil` is ``PushBridgeCore/MfaPolicyEvaluator/standard``.
    public var policyEvaluator: MfaPolicyEvaluator?
    /// Kept for existing call sites: nothing here goes over a network, so nothing takes this long.
    public var timeoutMs = 15_000
    /// Whether credentials are kept in memory once they were read by id.
    ///
    /// Changes by another process or client are not seen then, and secrets stay in memory until
    /// ``OathClient/close()``. The counter of a HOTP credential is never taken from memory.
    public var enableCredentialCache = false
    /// Receives what the client has to say; never a secret, never a code.
    public var logger: Logger? = LogManager.logger
    /// Tells the time.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates the standard configuration.
    public init() {}
}
