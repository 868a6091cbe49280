import Foundation
import PingLogger
import PingOath
import PingPush
import PushBridgeCore
import PushBridgePlatform

/// The removal of a credential with the async API.
struct AsyncRemoval {
    /// The secrets of the shown credentials that have the slot's account and kind.
    var found: [String] = []
    /// Whether the API showed no other credential of the account.
    var isLast = false
    /// Whether one of the credentials in `found` was removed.
    var isDone = false
}

// A task executor, which runs a task on a given thread, exists only on Linux and on versions of Apple's systems that
// are newer than this package requires.
#if os(Linux)
/// The clients of the async API, which use the store to which the records moved.
struct AsyncClients: Sendable {
    let oath: OathClient
    let push: PushClient
}

extension Release {
    /// Calls `body` with the clients of the async API, and waits until `body` has returned.
    /// - Returns: The result; `nil` if the process works on the legacy items or on a store that the records have left,
    ///   or if a client could not be created.
    func withAsyncClients<Value: Sendable>(
        on phone: Phone,
        _ body: @escaping @Sendable (AsyncClients) async -> Value
    ) -> Value? {
        let (process, openStore, gate, server) = (process, openStore, phone.gate, phone.server)
        guard isOnStore, !process.usesFirstStore || !phone.hasFollowed else { return nil }
        return process.waiting {
            TaskThread().run { () -> Value? in
                do {
                    let store = try openStore()
                    let oath = try await OathClient.createClient(
                        configuration: .build {
                            $0.storage = CredentialStoreOathStorage(store)
                            $0.logger = LogManager.none
                            $0.now = { gate.now }
                        }
                    )
                    let push = try await PushClient.createClient(
                        configuration: .build {
                            $0.storage = CredentialStoreStorage(store)
                            $0.logger = LogManager.none
                            $0.now = { gate.now }
                            $0.transport = SimulatedNetwork(server: server, process: process, gate: gate)
                        }
                    )
                    return await body(AsyncClients(oath: oath, push: push))
                } catch {
                    return nil
                }
            } ?? nil
        }
    }
}

extension Release {
    /// Returns the credentials that the async API lists; `nil` if the API cannot be used or cannot read them.
    func asyncShown(on phone: Phone) -> [Shown]? {
        withAsyncClients(on: phone) { clients -> [Shown]? in
            guard let oaths = try? await clients.oath.getCredentials(),
                let pushes = try? await clients.push.getCredentials()
            else { return nil }
            return pushes.compactMap(Shown.init) + oaths.compactMap(Shown.init)
        } ?? nil
    }

    /// Makes a one-time password of an HOTP credential with the async API.
    ///
    /// After a move, the store may still contain credentials that the user removed in the previous release. The user
    /// does not use these credentials.
    /// - Returns: The counter of the one-time password; `nil` if the API made none, or if the counter cannot be read.
    func asyncCode(_ slot: Slot, on phone: Phone) -> Int? {
        let removed = phone.model.removedSecrets(of: slot)
        return withAsyncClients(on: phone) { clients -> Int? in
            let all = ((try? await clients.oath.getCredentials()) ?? []).filter {
                guard let shown = Shown($0) else { return false }
                return shown.slot == slot && !removed.contains(shown.secret)
            }
            guard let found = all.first, found.oathType == .hotp,
                (try? await clients.oath.generateCode(found.id)) != nil,
                let after = try? await clients.oath.getCredential(found.id)
            else { return nil }
            return after.counter - 1
        } ?? nil
    }

    /// Removes a credential with the async API.
    func asyncRemove(_ slot: Slot, on phone: Phone) -> AsyncRemoval {
        withAsyncClients(on: phone) { clients -> AsyncRemoval in
            let pushes = (try? await clients.push.getCredentials()) ?? []
            let oaths = (try? await clients.oath.getCredentials()) ?? []
            let shown = pushes.compactMap(Shown.init) + oaths.compactMap(Shown.init)
            let found = shown.filter { $0.slot == slot }
            guard let first = found.first else { return AsyncRemoval() }
            let isDone =
                slot.kind == .push
                ? try? await clients.push.deleteCredential(first.id)
                : try? await clients.oath.deleteCredential(first.id)
            return AsyncRemoval(
                found: found.map(\.secret),
                isLast: shown.allSatisfy { $0.slot == slot || $0.slot.account != slot.account },
                isDone: isDone ?? false
            )
        } ?? AsyncRemoval()
    }

    /// Answers a push with the async API.
    /// - Returns: Whether the API reported the answer as sent, and whether the push is then still pending; `nil` if the
    ///   API cannot be used or does not show the push as pending.
    func asyncAnswer(
        _ number: Int,
        _ approves: Bool,
        on phone: Phone
    ) -> (isDone: Bool, isStillPending: Bool)? {
        withAsyncClients(on: phone) { clients -> (isDone: Bool, isStillPending: Bool)? in
            func pending() async -> PushBridgeCore.PushNotification? {
                let all = (try? await clients.push.getPendingNotifications()) ?? []
                return all.first { $0.messageId == "AUTHENTICATE:\(number)" }
            }
            guard let push = await pending() else { return nil }
            let isDone =
                approves
                ? try? await clients.push.approveNotification(push.id)
                : try? await clients.push.denyNotification(push.id)
            guard isDone == true else { return (false, false) }
            return (true, await pending() != nil)
        } ?? nil
    }
}

/// Runs a task on the thread that waits for the task.
///
/// On this thread, random numbers are generated from the seed (see `Randomness`); on the system's threads, they are
/// not.
private final class TaskThread: @unchecked Sendable {
    // Every access to these properties happens while `condition` is locked.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isDone = false

    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value? {
        let result = Lock<Value?>(nil)
        Task(executorPreference: self) { [self] in
            let value = await work()
            result.withValue { $0 = value }
            condition.withLock {
                isDone = true
                condition.signal()
            }
        }
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return result.withValue { $0 }
    }

    /// Waits for a job; returns `nil` if the task has ended.
    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty, !isDone { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}

extension TaskThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }
}
#else
extension Release {
    func asyncShown(on phone: Phone) -> [Shown]? { nil }
    func asyncCode(_ slot: Slot, on phone: Phone) -> Int? { nil }
    func asyncRemove(_ slot: Slot, on phone: Phone) -> AsyncRemoval { AsyncRemoval() }
    func asyncAnswer(_ number: Int, _ approves: Bool, on phone: Phone) -> (
        isDone: Bool, isStillPending: Bool
    )? { nil }
}
#endif

extension Phone {
    /// Whether the async API can use the records: they are not in place, and not in an app's own storage.
    var mayUseAsync: Bool { setup.store != .ownStorage && !isInPlace }
}
