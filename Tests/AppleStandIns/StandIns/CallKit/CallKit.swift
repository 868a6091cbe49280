public import Foundation

/// The other party of a call.
public final class CXHandle: NSObject, Sendable {
    /// The kind of identifier that names the caller.
    public enum HandleType: Int, Sendable {
        case generic = 1
        case phoneNumber, emailAddress
    }

    /// The identifier of the caller.
    public let value: String

    /// Makes a handle from a kind and an identifier.
    public init(type: HandleType, value: String) { self.value = value }
}

/// The details of a call.
public final class CXCallUpdate: NSObject {
    /// The other party of the call.
    public var remoteHandle: CXHandle?
    /// Whether the call has video.
    public var hasVideo = false
}

/// The capabilities of an app's calls.
public final class CXProviderConfiguration: NSObject {
    /// Whether calls may have video.
    public var supportsVideo = false
}

/// Reports calls to the system; a test can read which calls were reported.
public final class CXProvider: NSObject, @unchecked Sendable {
    // `lock` guards this property.
    private var callers: [String?] = []
    private let lock = NSLock()

    /// Makes a provider.
    public init(configuration: CXProviderConfiguration) {}

    /// The callers of the reported calls; `nil` for a call without a handle.
    public var reported: [String?] { lock.withLock { callers } }

    /// Reports an incoming call.
    public func reportNewIncomingCall(
        with id: UUID,
        update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let caller = update.remoteHandle?.value
        lock.withLock { callers.append(caller) }
        DispatchQueue.global().async { completion(nil) }
    }
}
