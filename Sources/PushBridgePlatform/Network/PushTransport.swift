public import Foundation
public import PushBridgeCore

/// Carries requests to the push service.
///
/// What it is given has passed the app's interceptors already.
public protocol PushTransport: Sendable {
    /// Sends a request once and returns whatever the server answered.
    ///
    /// Follows no redirect and keeps no cookie. Throws ``PushTransportError`` if no answer came, and
    /// `CancellationError` if the task was cancelled.
    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse
}
