public import Foundation

/// Whom a call is with.
public final class CXHandle: NSObject, Sendable {
    /// What names the caller.
    public enum HandleType: Int, Sendable {
        case generic = 1
        case phoneNumber, emailAddress
    }

    /// The caller.
    public let value: String

    /// Names a caller.
    public init(type: HandleType, value: String) { self.value = value }
}

/// What is known of a call.
public final class CXCallUpdate: NSObject {
    /// Whom it is with.
    public var remoteHandle: CXHandle?
    /// Whether there is a picture.
    public var hasVideo = false
}

/// What calls of an app can do.
public final class CXProviderConfiguration: NSObject {
    /// Whether they may have a picture.
    public var supportsVideo = false
}

/// Tells the system of calls; a test hears of them.
public final class CXProvider: NSObject, @unchecked Sendable {
    // Every access to `heard` happens while `lock` is held.
    private var heard: [String?] = []
    private let lock = NSLock()

    /// Makes a provider.
    public init(configuration: CXProviderConfiguration) {}

    /// The callers of the calls that were reported.
    public var reported: [String?] { lock.withLock { heard } }

    /// Tells of a call that came in.
    public func reportNewIncomingCall(
        with id: UUID,
        update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let caller = update.remoteHandle?.value
        lock.withLock { heard.append(caller) }
        DispatchQueue.global().async { completion(nil) }
    }
}
