public import Dispatch
import Foundation

/// Reports the network's state when the monitor starts; a test sets the state.
public final class NWPathMonitor: @unchecked Sendable {
    // `lock` guards this property and `isCancelled`.
    private var handler: (@Sendable (NWPath) -> Void)?
    private var isCancelled = false
    private let lock = NSLock()

    /// Makes a monitor of all interfaces.
    public init() {}

    /// The handler, which the monitor calls on its queue.
    ///
    /// An app sets the handler before the app starts the monitor.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { locked { handler } }
        set { locked { handler = newValue } }
    }

    /// Starts monitoring, and immediately reports the state.
    ///
    /// The stand-in reports the state twice, because Apple does not document that the first report occurs only once.
    public func start(queue: DispatchQueue) {
        for _ in 0..<2 {
            queue.async { [self] in
                let handler = locked { self.isCancelled ? nil : self.handler }
                handler?(NWPath.current)
            }
        }
    }

    /// Stops; the handler is not called afterwards.
    public func cancel() {
        locked { isCancelled = true }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

/// The network at one moment.
public struct NWPath: Sendable {
    /// The possible states of the network.
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    /// Whether connections can be made.
    public let status: Status
    private let interface: NWInterface.InterfaceType?

    /// Returns whether connections can use interfaces of a type.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { interface == type }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var used: NWInterface.InterfaceType? = .wifi

    static var current: NWPath {
        let used = lock.withLock { self.used }
        return NWPath(status: used == nil ? .unsatisfied : .satisfied, interface: used)
    }

    /// Sets the interface through which the device is connected; `nil` means no connection.
    ///
    /// This method is not part of Apple's framework.
    public static func use(_ type: NWInterface.InterfaceType?) {
        lock.withLock { used = type }
    }
}

/// An interface of the device.
public enum NWInterface {
    /// A type of interface.
    public enum InterfaceType: Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }
}
