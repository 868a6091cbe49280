#if canImport(PushKit)
public import Foundation
public import PushBridgeCore
import PushBridgePlatform
public import PushKit

/// Registers the app with PushKit, and keeps the tokens of the app's channels in memory.
///
/// Create the adapter at launch and keep a reference to it. The adapter's tokens are for the app's own
/// servers. PingAM receives only the alert token, and a push from PushKit is never handled as a login.
public final class PushRegistryAdapter: NSObject, PKPushRegistryDelegate, Sendable {
    /// A closure that receives a channel and the channel's token in hexadecimal.
    ///
    /// If the token becomes invalid, the closure receives `nil` instead of the token.
    public typealias TokenHandler = @Sendable (PushChannel, String?) -> Void
    /// A closure that receives a channel, a payload and a completion handler.
    ///
    /// If the channel is for calls, report the call before the closure returns. Otherwise the system
    /// terminates the app.
    public typealias PushHandler = @Sendable (PushChannel, [AnyHashable: Any], @escaping () -> Void) -> Void

    /// The APNs environment of the tokens; `nil` if the app did not set it.
    public let environment: APNsEnvironment?
    private let held = Lock<[PushChannel: String?]>([:])
    private let registry: Lock<PKPushRegistry>
    private let onToken: TokenHandler
    private let onPush: PushHandler

    /// Registers the app with PushKit.
    /// - Parameters:
    ///   - channels: The channels that the app uses; PushKit does not support ``PushChannel/alert``.
    ///   - environment: The APNs environment of the tokens, which the app's entitlement determines.
    ///   - queue: The queue on which the handlers are called; `nil` means the main queue.
    ///   - onToken: Called when a token is available, changes or becomes invalid. It is not called again for
    ///     the same token.
    ///   - onPush: Called with each push.
    public init(
        channels: Set<PushChannel> = [.voIP],
        environment: APNsEnvironment? = nil,
        queue: DispatchQueue? = nil,
        onToken: @escaping TokenHandler,
        onPush: @escaping PushHandler
    ) {
        let registry = PKPushRegistry(queue: queue)
        self.registry = Lock(registry)
        self.environment = environment
        self.onToken = onToken
        self.onPush = onPush
        super.init()
        registry.delegate = self
        // This assignment registers the app, so it must be the last step.
        registry.desiredPushTypes = Set(channels.compactMap(\.pushType))
    }

    /// Registers the app for calls only.
    ///
    /// This initialiser is for Objective-C. The handlers are called on the main queue.
    /// - Parameters:
    ///   - onToken: Called with the token in hexadecimal when the token is available or changes, and with
    ///     `nil` when the token becomes invalid.
    ///   - onPush: Called with each payload and a completion handler. The closure must report the call before
    ///     it returns.
    #if canImport(ObjectiveC)
    @objc(initWithVoIPTokenHandler:pushHandler:)
    #endif
    public convenience init(
        onVoIPToken onToken: @escaping @Sendable (String?) -> Void,
        onVoIPPush onPush: @escaping @Sendable ([AnyHashable: Any], @escaping () -> Void) -> Void
    ) {
        self.init(channels: [.voIP], onToken: { onToken($1) }, onPush: { onPush($1, $2) })
    }

    /// The tokens in hexadecimal, by channel.
    public var tokens: [PushChannel: String] { held.withValue { $0.compactMapValues(\.self) } }

    /// Keeps a token in memory and, if the token changed, passes it to the app.
    /// - Parameters:
    ///   - registry: Not used.
    ///   - pushCredentials: The token.
    ///   - type: The channel; an unknown channel is ignored.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        hold(pushCredentials.token.hexadecimal, of: type)
    }

    /// The token for calls, in hexadecimal; `nil` if the adapter has no such token.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public var voIPToken: String? { tokens[.voIP] }

    /// Removes a token and notifies the app.
    /// - Parameters:
    ///   - registry: Not used.
    ///   - type: The channel; an unknown channel is ignored.
    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        hold(nil, of: type)
    }

    private func hold(_ token: String?, of type: PKPushType) {
        guard let channel = PushChannel(type) else { return }
        // After a launch, the adapter knows no token. The first invalidation is therefore reported even if the
        // adapter has not received the token that became invalid.
        let isNew = held.withValue { $0.updateValue(token, forKey: channel) != .some(token) }
        if isNew { onToken(channel, token) }
    }

    /// Passes a push to the app.
    /// - Parameters:
    ///   - registry: Not used.
    ///   - payload: The payload.
    ///   - type: The channel.
    ///   - completion: Called by the app when it has handled the push. For an unknown channel, the adapter
    ///     calls it immediately.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        guard let channel = PushChannel(type) else { return completion() }
        onPush(channel, payload.dictionaryPayload, completion)
    }
}

extension PushChannel {
    fileprivate init?(_ type: PKPushType) {
        guard let channel = Self.allCases.first(where: { $0.pushType == type }) else { return nil }
        self = channel
    }

    fileprivate var pushType: PKPushType? {
        switch self {
        case .alert: nil
        case .voIP: .voIP
        #if os(macOS)
        case .complication: nil
        #else
        case .complication: .complication
        #endif
        case .fileProvider: .fileProvider
        }
    }
}
#endif
