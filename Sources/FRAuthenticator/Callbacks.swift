import Dispatch
import FRCore
public import PushBridgeCore
import PushBridgePlatform

/// The success and failure callbacks of a legacy call.
///
/// One of the callbacks is called with the first reported outcome; later outcomes are ignored.
final class Callbacks<Value: Sendable>: Sendable {
    private let once: Once<Swift.Result<Value, any Error>>

    init(_ succeed: @escaping (Value) -> Void, _ fail: @escaping ErrorCallback) {
        let callback = Once<Swift.Result<Value, any Error>> { outcome in
            switch outcome {
            case .success(let value): succeed(value)
            case .failure(let error): fail(error)
            }
        }
        once = Once { outcome in CallbackThread.run { callback(outcome) } }
    }

    /// Reports a failure on `queue`, by default a background queue.
    func fail(_ error: any Error, on queue: DispatchQueue = .global()) {
        queue.async { [self] in failNow(error) }
    }

    /// Reports success on this thread.
    func succeedNow(_ value: Value) { once(.success(value)) }

    /// Reports a failure on this thread.
    func failNow(_ error: any Error) { once(.failure(error)) }

    /// Calls `body`; if `body` throws, reports the error as an error of the legacy API.
    ///
    /// The error is reported on `queue`, or on this thread if `queue` is `nil`.
    func failing(on queue: DispatchQueue? = nil, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let error = LegacyError.translated(error)
            if let queue { fail(error, on: queue) } else { failNow(error) }
        }
    }
}

extension Callbacks where Value == Void {
    convenience init(_ succeed: @escaping SuccessCallback, _ fail: @escaping ErrorCallback) {
        self.init({ (_: Void) in succeed() }, fail)
    }

    /// Reports success on `queue`.
    func succeed(on queue: DispatchQueue) {
        queue.async { [self] in succeedNow(()) }
    }
}

/// Called once with the new mechanism.
public typealias MechanismCallback = (_ mechanism: Mechanism) -> Void

/// Called once with an account.
public typealias AccountCallback = (_ account: Account) -> Void

/// Called once with accounts.
public typealias AccountsCallback = (_ accounts: [Account]) -> Void

/// Asks the app for its session at the server of a mechanism.
///
/// The app must call `answer` once, on any thread: with the session, or with `nil` if it has no session now.
public typealias ServerSessionCallback = (
    _ mechanism: PushMechanism, _ answer: @escaping (PushServerSession?) -> Void
) -> Void
