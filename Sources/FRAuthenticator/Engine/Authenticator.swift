package import CredentialMigration
import FRCore
package import Foundation
package import PushBridgeCore
import PushBridgeNotifications
package import PushBridgePlatform
import PushBridgeStore

/// The shared parts of the façade's objects: the store, the network, the policies and the clock.
///
/// There is one for the process, ``shared``; tests and comparisons make their own.
package final class Authenticator: Sendable {
    /// The settings of an authenticator.
    package struct Configuration: Sendable {
        /// Opens the store, when it is first needed and again after a failure.
        package var store: @Sendable () throws -> any CredentialStore = {
            try StandardStore.open()
        }
        /// Carries requests to the server.
        package var transport: any PushTransport = URLSessionTransport()
        /// What interceptors make of requests; comparisons keep theirs apart from the app's.
        package var hooks = NetworkHooks.shared
        /// Tells the device's name in the user's list of devices at the server.
        package var deviceName: @Sendable () -> String = { DeviceName.current }
        /// Asks the user to prove that it is them; `nil` is what ``FRAClient/localAuthentication`` says.
        package var localAuthentication: (any LocalAuthenticating)?
        /// Locks and unlocks accounts as their policies demand.
        package var policyEvaluator = FRAPolicyEvaluator()
        /// Imports the legacy SDK's own store; `nil` where an app brings its own storage.
        package var migration: FRAMigration?
        /// Durable storage for enrolments that the store failed to save; `nil` if there is none.
        package var pendingEnrolments = KeychainPendingEnrolments.ofThisDevice()
        /// Whether the process is an extension of the app.
        package var isExtension = Bundle.main.bundleURL.pathExtension == "appex"
        /// Returns the current time.
        package var now: @Sendable () -> Date = { Date() }
        /// Measures the time that the system gives the app for a push.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// The settings of the push handler; copies of the configuration share them, so that a change of storage keeps
        /// them.
        let push = Lock(PushSettings())

        /// Creates the standard configuration.
        package init() {}
    }

    /// The app's settings for pushes.
    struct PushSettings {
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
    /// The outcomes that servers accepted but the store failed to save.
    let held: HeldOutcomes
    /// The recent responses to banners.
    let responses = HandledResponses()

    /// Creates an authenticator; opens nothing yet.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        let opened = opened
        held = HeldOutcomes(pending: configuration.pendingEnrolments) {
            try Self.open(configuration, as: opened).store.backing.records.storageName()
        }
    }

    /// The one of the process, with the settings of ``FRAClient``.
    package static var shared: Authenticator { FRAClient.sharedAuthenticator }

    /// The open stores.
    private struct Opened {
        let store: any CredentialStore
        /// Decides between the legacy SDK's own items and the app's store; `nil` where there are no such items.
        let place: RecordPlace?
        /// The store, where it is one over an app's own storage.
        let ownStorage: StorageClientStore?
    }

    /// How often the app has used the storage; a check ends when this changes.
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

    /// The store; it follows the records where they move.
    func store() throws -> any CredentialStore { try open().store }

    /// Decides between the legacy SDK's own items and the app's store; `nil` without such items.
    package func place() throws -> RecordPlace? { try open().place }

    /// Whether the legacy SDK's own items are in charge; throws the store's error if it is not known.
    package var isInPlace: Bool {
        get throws { try place()?.state().isInPlace ?? false }
    }

    /// Performs an operation, and calls `completion` once, on a background queue if anything was sent.
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

    /// Performs an operation, stores its outcome and reports it once; on a background queue if a request was sent.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - known: An object that need not be read from an app's own storage.
    ///   - callbacks: The receivers of the outcome.
    ///   - name: Calls its argument, and converts the store's errors to those of the legacy API.
    ///   - succeed: Converts the stored outcome to the caller's result.
    func carryOut<Operation: StoredOperation, Value>(
        _ operation: Operation,
        beginningWith known: (any CachedObject)? = nil,
        reportingTo callbacks: Callbacks<Value>,
        naming name: @escaping (() throws -> Operation.Outcome) throws -> Operation.Outcome = { try $0() },
        _ succeed: @escaping (Operation.Outcome) -> Value
    ) {
        perform(operation) { [self] outcome in
            switch outcome {
            case .failure(let failure):
                measure(operation.milestone(isAccepted: false, at: configuration.now()))
                if operation.isClaimed {
                    // Logged, because the caller has to learn why there was no answer; the claim ends after its time.
                    attempt("Releasing a claim", or: ()) { try write { try operation.abandon(in: $0) } }
                }
                callbacks.failNow(LegacyError.translated(failure))
            case .success(let operation):
                measure(operation.milestone(isAccepted: true, at: configuration.now()))
                callbacks.failing {
                    let now = configuration.now()
                    let stored = try name {
                        do {
                            return try write(beginningWith: known) {
                                try operation.complete(in: $0, at: now)
                            }
                        } catch let error as AlreadyEnrolled {
                            throw error
                        } catch {
                            if let enrolment = operation.pendingEnrolment {
                                try keep(enrolment, error)
                                return operation.outcome(at: now)
                            }
                            // The server has decided, so the caller must not receive an error and retry.
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

    /// Keeps an outcome that the server accepted but the store failed to save; it is included in results and stored at
    /// the next opportunity.
    /// - Parameters:
    ///   - subject: The kind of the record, for the log.
    ///   - id: The id of its record.
    ///   - error: Why.
    ///   - store: Stores it.
    func hold(_ subject: String, _ id: String, _ error: any Error, _ store: @escaping HeldOutcomes.Storing) {
        FRALog.e("\(subject) is not stored yet, and kept in memory: \(LegacyError.reason(error))")
        held.hold(id, store)
    }

    /// Keeps an enrolment that the store refused, also for the next process.
    /// - Throws: The refusal if nothing can keep the enrolment. The server still has the device, because only a session of the
    ///   user can remove it there.
    private func keep(_ enrolment: PendingEnrolment, _ refusal: any Error) throws {
        var enrolment = enrolment
        do {
            enrolment.neighbours = try open().ownStorage?.read { try $0.ids(of: .push, where: .all) }
        } catch {
            // Its type alone names a storage that cannot be read.
        }
        try held.hold(enrolment, after: refusal) { [enrolment] in try enrolment.complete(in: $0) }
        FRALog.e("An enrolment is not stored yet, and waits in the keychain: \(LegacyError.reason(refusal))")
    }

    /// Stores the held outcomes, as far as the store accepts them now.
    private func storeHeld() {
        for outcome in held.all {
            do {
                try store().write(outcome.store)
                held.forget(outcome.id)
            } catch is PendingEnrolment.OtherStorage {
                held.leave(outcome.id)
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

    /// Reports a step of a push to an app that measures them.
    func measure(_ milestone: PushMilestone?) {
        guard let milestone else { return }
        configuration.push.withValue(\.onMilestone)?(milestone)
    }

    /// The store over an app's own storage, for reading; `nil` if the store is another one, and while outcomes wait for the
    /// storage, because only the views of all stores show them.
    func ownStorage() throws -> StorageClientStore? {
        storeHeld()
        return held.isEmpty ? try open().ownStorage : nil
    }

    /// Calls `body` with a view that need not ask an app's own storage for an object that came from there.
    func read<Value>(
        beginningWith object: any ClientObject,
        _ body: (any CredentialReading) throws -> Value
    ) throws -> Value {
        guard let own = try ownStorage() else { return try read(body) }
        return try own.read(beginningWith: object) { try body($0) }
    }

    /// Calls `body` in a transaction that need not ask an app's own storage for an object that came from there.
    func write<Value>(
        beginningWith object: (any CachedObject)?,
        _ body: (any CredentialWriting) throws -> Value
    ) throws -> Value {
        storeHeld()
        // The views of a transaction do not show held outcomes.
        guard let own = try open().ownStorage else { return try store().write(body) }
        return try own.write(beginningWith: object, body)
    }

    /// Evaluates whether the device complies with the policies of an account.
    typealias Evaluation = (AccountProfile) throws -> PolicyOutcome

    /// Calls `body`, whose transactions may ask whether the device complies with an account's policies.
    ///
    /// Policies may be the app's own code, which must not run inside a transaction: `body` is called again with what
    /// it asked for.
    func judging<Value>(_ body: (Evaluation) throws -> Value) throws -> Value {
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

    /// Whether the store is one over an app's own storage.
    var hasOwnStorage: Bool { get throws { try open().ownStorage != nil } }

    /// Imports what was locked when the client started.
    func finishMigration() {
        configuration.migration?.runAgainIfDue(on: self)
    }

    /// Returns what `body` does, or `fallback` after logging why there is no answer: legacy calls cannot throw.
    func attempt<Value>(_ operation: String, or fallback: Value, _ body: () throws -> Value) -> Value {
        do {
            return try body()
        } catch {
            FRALog.e("\(operation): \(LegacyError.reason(error))")
            return fallback
        }
    }
}
