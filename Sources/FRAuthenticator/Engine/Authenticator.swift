package import CredentialMigration
import FRCore
package import Foundation
package import PushBridgeCore
import PushBridgeNotifications
package import PushBridgePlatform
import PushBridgeStore

/// The engine behind the legacy API's objects: the store, the network, the policies and the clock.
///
/// The process has one authenticator, ``shared``. Tests and the parity comparison create their own
/// authenticators.
package final class Authenticator: Sendable {
    /// The settings of an authenticator.
    package struct Configuration: Sendable {
        /// Opens the store at the first access.
        ///
        /// If the store cannot be opened, the next access tries again.
        package var store: @Sendable () throws -> any CredentialStore = {
            try StandardStore.open()
        }
        /// Sends requests to the server.
        package var transport: any PushTransport = URLSessionTransport()
        /// The network hooks, including the interceptors.
        ///
        /// Tests can set separate hooks.
        package var hooks = NetworkHooks.shared
        /// Returns the device's name, which the server shows in the user's list of devices.
        package var deviceName: @Sendable () -> String = { DeviceName.current }
        /// Authenticates the user locally.
        ///
        /// If this property is `nil`, ``FRAClient/localAuthentication`` is used.
        package var localAuthentication: (any LocalAuthenticating)?
        /// Evaluates the policies that lock and unlock accounts.
        package var policyEvaluator = FRAPolicyEvaluator()
        /// Imports the legacy SDK's own store; `nil` if the app has its own storage.
        package var migration: FRAMigration?
        /// Durable storage for enrolments that the store failed to save.
        ///
        /// If this property is `nil`, the caller receives the store's error instead.
        package var pendingEnrolments = KeychainPendingEnrolments.ofThisDevice()
        /// Whether the process is an extension of the app.
        package var isExtension = Bundle.main.bundleURL.pathExtension == "appex"
        /// Returns the current time.
        package var now: @Sendable () -> Date = { Date() }
        /// Measures the time limit for the handling of a push, and the waits before a check.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// The settings of the push handler.
        ///
        /// All copies of the configuration share these settings, so the settings survive a change of the
        /// storage.
        let push = Lock(PushOptions())

        /// Creates a configuration with the standard values and without a migration.
        package init() {}
    }

    /// The app's settings for pushes.
    struct PushOptions {
        var resyncs = false
        var environment: APNsEnvironment?
        var providers: PushProviders = [:]
        var topic = Bundle.main.bundleIdentifier
        var onMilestone: (@Sendable (PushMilestone) -> Void)?

        var providerName: String? { topic.flatMap(providers.name) }
    }

    let configuration: Configuration
    private let opened = Lock<Opened?>(nil)
    private let useCount = Lock(0)
    /// The outcomes that the servers accepted but the store failed to save.
    let held: UnsavedOutcomes
    /// The recent responses to banners.
    let responses = HandledResponses()

    /// Creates an authenticator without opening its store.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        let opened = opened
        held = UnsavedOutcomes(pending: configuration.pendingEnrolments) {
            try Self.open(configuration, as: opened).store.backing.records.storageName()
        } hasReceived: { name in
            try Self.open(configuration, as: opened).store.backing.records.hasReceived(from: name)
        }
    }

    /// The authenticator of the process, with the settings of ``FRAClient``.
    package static var shared: Authenticator { FRAClient.sharedAuthenticator }

    /// The open store, and the objects that depend on it.
    private struct Opened {
        let store: any CredentialStore
        /// The object that decides whether the legacy SDK's own items or the app's store is used; `nil` if
        /// the migration has no legacy keychain.
        let place: RecordPlace?
        /// The store if it uses an app's own storage, otherwise `nil`.
        let ownStorage: StorageClientStore?
    }

    /// The number of times that the app has used the storage.
    ///
    /// A check that is running ends when this number changes.
    var uses: Int { useCount.withValue(\.self) }

    private func open() throws -> Opened {
        useCount.withValue { $0 += 1 }
        return try Self.open(configuration, as: opened)
    }

    private static func open(_ configuration: Configuration, as opened: Lock<Opened?>) throws -> Opened {
        try opened.withValue { opened in
            if let opened { return opened }
            let place = configuration.migration?.source.flatMap {
                RecordPlace(
                    of: $0,
                    isExtension: configuration.isExtension,
                    clock: configuration.now,
                    to: configuration.store
                )
            }
            let store = try place?.store ?? configuration.store()
            let new = Opened(store: store, place: place, ownStorage: store as? StorageClientStore)
            opened = new
            return new
        }
    }

    /// Returns the store.
    ///
    /// The object stays the same when the records move or move back; its transactions run on the store in charge.
    func store() throws -> any CredentialStore { try open().store }

    /// Returns the object that decides whether the legacy SDK's own items or the app's store is used; `nil`
    /// if the migration has no legacy keychain.
    package func place() throws -> RecordPlace? { try open().place }

    /// Whether the API works in place, on the legacy SDK's own items.
    ///
    /// Throws the store's error if this state cannot be read.
    package var isInPlace: Bool {
        get throws { try place()?.state().isInPlace ?? false }
    }

    /// Performs an operation, and then calls `completion` once.
    ///
    /// If a request was sent, `completion` is called on a background queue.
    func perform<Operation: PushOperation>(
        _ operation: Operation,
        completion: @escaping (Swift.Result<Operation, PushFailure>) -> Void
    ) {
        configuration.transport.invoke(
            operation,
            hooks: configuration.hooks,
            providerName: configuration.push.withValue { $0.providerName },
            completion: completion
        )
    }

    /// Performs an operation, stores its outcome and reports the outcome once.
    ///
    /// If a request was sent, the outcome is reported on a background queue.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - known: An object that the caller has already read. It is not read from an app's own storage again.
    ///   - callbacks: The receivers of the outcome.
    ///   - name: Calls its argument, and converts a store's error to an error of the legacy API.
    ///   - succeed: Converts the stored outcome to the caller's result.
    func performAndStore<Operation: StoredOperation, Value>(
        _ operation: Operation,
        preloaded known: (any CachedObject)? = nil,
        reportingTo callbacks: Callbacks<Value>,
        naming name: @escaping (() throws -> Operation.Outcome) throws -> Operation.Outcome = { try $0() },
        _ succeed: @escaping (Operation.Outcome) -> Value
    ) {
        perform(operation) { [self] outcome in
            switch outcome {
            case .failure(let failure):
                measure(operation.milestone(isAccepted: false, at: configuration.now()))
                if operation.isClaimed {
                    // An error of this transaction is only logged. The caller receives the reason why the
                    // answer failed, and the claim expires later.
                    loggingFailure("Releasing a claim", default: ()) {
                        try write { try operation.abandon(in: $0) }
                    }
                }
                callbacks.failNow(LegacyError.translated(failure))
            case .success(let operation):
                measure(operation.milestone(isAccepted: true, at: configuration.now()))
                callbacks.failing {
                    let now = configuration.now()
                    let stored = try name {
                        do {
                            return try write(preloaded: known) {
                                try operation.complete(in: $0, at: now)
                            }
                        } catch let error as AlreadyEnrolled {
                            throw error
                        } catch {
                            if let enrolment = operation.pendingEnrolment {
                                try keep(enrolment, error)
                                return operation.outcome(at: now)
                            }
                            // The server has accepted the request. An error would make the caller retry, so
                            // the caller receives the outcome.
                            hold("The outcome of a request", operation.recordId, error) {
                                _ = try operation.complete(in: $0, at: now)
                            }
                            return operation.outcome(at: now)
                        }
                    }
                    callbacks.succeedNow(succeed(stored))
                }
            }
        }
    }

    /// Keeps in memory an outcome that the server accepted but the store failed to save.
    ///
    /// The results of reads include the outcome, and the outcome is stored at the next opportunity.
    /// - Parameters:
    ///   - subject: The kind of the record, for the log.
    ///   - id: The id of the record.
    ///   - error: The store's error.
    ///   - store: Stores the outcome.
    func hold(_ subject: String, _ id: String, _ error: any Error, _ store: @escaping UnsavedOutcomes.Storing)
    {
        FRALog.e("\(subject) is not stored yet; it is kept in memory: \(LegacyError.reason(error))")
        held.hold(id, store)
    }

    /// Keeps in the keychain an enrolment that the store failed to save, so that a later process can store
    /// the enrolment.
    /// - Throws: `refusal` if the keychain cannot keep the enrolment either. The device then stays registered at
    ///   the server, and only the user, with a session at the server, can remove the registration.
    private func keep(_ enrolment: PendingEnrolment, _ refusal: any Error) throws {
        var enrolment = enrolment
        do {
            enrolment.neighbours = try open().ownStorage?.read { try $0.ids(of: .push, where: .all) }
        } catch {
            // If the storage cannot be read, the enrolment contains no ids of the storage's credentials. Only the
            // name of the storage then identifies the storage.
        }
        try held.hold(enrolment, after: refusal)
        FRALog.e("An enrolment is not stored yet; it is kept in the keychain: \(LegacyError.reason(refusal))")
    }

    /// Stores the held outcomes.
    ///
    /// If the store again fails to save an outcome, the outcome stays held.
    func storeHeld() {
        for outcome in held.all {
            do {
                try store().write(outcome.store)
                held.forget(outcome.id)
            } catch is PendingEnrolment.OtherStorage {
                held.stopHolding(outcome.id)
            } catch {
                continue
            }
        }
    }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        storeHeld()
        return try store().read { try body(held.shown(over: $0)) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        storeHeld()
        return try store().write(body)
    }

    /// Verifies and stores a push.
    func receive(_ push: UnverifiedPush, at date: Date) throws -> ReceivedPush {
        let received = Swift.Result {
            try store().receive(push, id: UUID().uuidString, receivedAt: date)
        }
        measure(PushMilestone(PushArrival { try received.get() }))
        return try received.get()
    }

    /// Reports a step of a push to the app, if the app has set `onMilestone`.
    func measure(_ milestone: PushMilestone?) {
        guard let milestone else { return }
        configuration.push.withValue(\.onMilestone)?(milestone)
    }

    /// Returns the store if it uses an app's own storage directly, otherwise `nil`.
    ///
    /// The result is also `nil` while outcomes are held. Reads must then use `read(_:)`, whose views include
    /// the held outcomes.
    func ownStorage() throws -> StorageClientStore? {
        storeHeld()
        return held.isEmpty ? try open().ownStorage : nil
    }

    /// Calls `body` with a view that contains `object`, so that the object is not read from an app's own
    /// storage again.
    func read<Value>(
        preloaded object: any ClientObject,
        _ body: (any CredentialReading) throws -> Value
    ) throws -> Value {
        guard let own = try ownStorage() else { return try read(body) }
        return try own.read(preloaded: object) { try body($0) }
    }

    /// Calls `body` in a transaction that contains `object`, so that the object is not read from an app's own
    /// storage again.
    func write<Value>(
        preloaded object: (any CachedObject)?,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        storeHeld()
        // Held outcomes are added only to reads, so a write uses an app's own storage even while outcomes are held.
        guard let own = try open().ownStorage else { return try store().write(body) }
        return try own.write(preloaded: object, body)
    }

    /// Evaluates whether the device complies with the policies of an account.
    typealias Evaluation = (AccountProfile) throws -> PolicyOutcome

    /// Calls `body` with a closure that evaluates an account's policies.
    ///
    /// A policy may be the app's own code, which must not run inside a transaction. If `body` needs an evaluation
    /// that is missing, the closure throws an error, and this error ends `body`. The policies are then evaluated
    /// outside the transaction, and `body` is called again.
    func withPolicyOutcomes<Value>(_ body: (Evaluation) throws -> Value) throws -> Value {
        var outcomes: [String: PolicyOutcome] = [:]
        while true {
            do {
                return try body { account in
                    guard let policies = account.policies else { return .comply }
                    if let outcome = outcomes[policies] { return outcome }
                    throw UnevaluatedPolicies(account: account)
                }
            } catch let unevaluated as UnevaluatedPolicies {
                guard let policies = unevaluated.account.policies else { throw unevaluated }
                outcomes[policies] = configuration.policyEvaluator.core.evaluate(policies)
            }
        }
    }

    /// Whether the store uses an app's own storage.
    var hasOwnStorage: Bool { get throws { try open().ownStorage != nil } }

    /// Repeats the last import if it may now import more records, or if another process has moved the records.
    func finishMigration() {
        configuration.migration?.runAgainIfDue(on: self)
    }

    /// Returns the result of `body`; if `body` throws, logs the error and returns `fallback`.
    ///
    /// Most legacy methods cannot throw.
    func loggingFailure<Value>(_ operation: String, default fallback: Value, _ body: () throws -> Value)
        -> Value
    {
        do {
            return try body()
        } catch {
            FRALog.e("\(operation): \(LegacyError.reason(error))")
            return fallback
        }
    }
}
