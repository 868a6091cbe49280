public import Dispatch
public import Foundation

/// A type of push.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    /// The name of the type.
    public let rawValue: String
    /// Makes a type with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Pushes for incoming calls.
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
    /// Pushes for updates of a watch's face.
    public static let complication = PKPushType(rawValue: "PKPushTypeComplication")
    /// Pushes for changes of files.
    public static let fileProvider = PKPushType(rawValue: "PKPushTypeFileProvider")
}

/// A device token for one type of push.
public final class PKPushCredentials: NSObject, Sendable {
    /// The type of push.
    public let type: PKPushType
    /// The token.
    public let token: Data

    init(_ type: PKPushType, _ token: Data) {
        self.type = type
        self.token = token
    }
}

/// A push.
public final class PKPushPayload: NSObject {
    /// The type of the push.
    public let type: PKPushType
    /// The payload.
    public let dictionaryPayload: [AnyHashable: Any]

    init(_ type: PKPushType, _ dictionaryPayload: [AnyHashable: Any]) {
        self.type = type
        self.dictionaryPayload = dictionaryPayload
    }
}

/// Receives tokens and pushes; only the first method is required, as in the real framework.
public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// Receives a new token.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    )
    /// Receives a push.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    )
    /// Reports that a token became invalid.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
}

extension PKPushRegistryDelegate {
    /// Only calls `completion`.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        completion()
    }

    /// Does nothing.
    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
}

/// Registers an app for pushes; a test delivers them in place of the system.
open class PKPushRegistry: NSObject {
    /// The most recently created registry; `nil` after it was deallocated.
    public nonisolated(unsafe) static weak var last: PKPushRegistry?

    private let queue: DispatchQueue

    /// Receives tokens and pushes.
    public weak var delegate: (any PKPushRegistryDelegate)?

    /// The types of push that the app receives.
    ///
    /// Setting this property registers the app, so a delegate that is set later does not receive the token.
    public var desiredPushTypes: Set<PKPushType>? {
        didSet {
            let delegate = delegate
            for type in desiredPushTypes ?? [] {
                let token = PKPushCredentials(type, Data([0xC0, 0xFF]))
                delegate?.pushRegistry(self, didUpdate: token, for: type)
            }
        }
    }

    /// Makes a registry; the stand-in ignores `queue`, and calls the delegate on the thread of the test.
    public init(queue: DispatchQueue?) {
        self.queue = queue ?? .main
        super.init()
        Self.last = self
    }

    /// Reports to the delegate that the token of a type became invalid.
    public func invalidate(_ type: PKPushType) {
        delegate?.pushRegistry(self, didInvalidatePushTokenFor: type)
    }

    /// Passes a push to the delegate.
    public func deliver(
        _ userInfo: [AnyHashable: Any],
        _ type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let payload = PKPushPayload(type, userInfo)
        delegate?.pushRegistry(self, didReceiveIncomingPushWith: payload, for: type, completion: completion)
    }
}
