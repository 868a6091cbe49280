package import Foundation

/// One of the three programs whose processes run on the phone.
package enum Party: String, Codable, CaseIterable, Sendable {
    /// The app, in the release with PushBridge.
    case app
    /// The app's extension, in the release with PushBridge.
    case helper
    /// The app's previous release, with the legacy SDK.
    case previous
}

/// An operation of a process on the keychain, the store or the network.
package enum Operation: String, CaseIterable, Sendable {
    case add, update, data, accessibility, accounts, names, dates, items, remove
    case read, begin, put, delete, commit, committed
    case send, receive

    /// Whether the operation uses the network.
    package var isOfNetwork: Bool { self == .send || self == .receive }

    /// Whether the operation uses a store.
    package var isOfStore: Bool { !isOfKeychain && !isOfNetwork }

    /// Whether the operation uses the keychain.
    package var isOfKeychain: Bool {
        switch self {
        case .add, .update, .data, .accessibility, .accounts, .names, .dates, .items, .remove: true
        case .read, .begin, .put, .delete, .commit, .committed, .send, .receive: false
        }
    }
}

/// A kill or a fault that affects a process at one of its operations.
package struct Disturbance: Codable, Equatable, Sendable {
    /// The kind of disturbance.
    package enum What: Codable, Equatable, Sendable {
        /// The process ends before the operation has an effect.
        case killBefore
        /// The process ends after the operation has had its effect.
        case killAfter
        /// The operation fails.
        ///
        /// The keychain returns this status, the store is full, or the network is unavailable.
        case fault(Int32)
        /// The process sees no items before this operation, as if the user unlocked the device at this moment for the
        /// first time after a restart.
        ///
        /// The restart ends all processes before the step begins.
        case seesFrom
        /// The first write of a legacy item from this operation on has no effect, although the keychain reports
        /// success.
        case losesWrite
        /// From this operation on, the device's key fails to decrypt items, the given number of times. The last failures
        /// may happen in later steps.
        case keyFails(Int)
    }

    /// The number of the operation within the step, counted from 1.
    package var at: Int
    package var what: What
}

/// The error that stores and the network throw to a dead process; the keychain throws a `KeychainError`.
package struct Death: Error {}

/// A simulated process of a party.
///
/// An object that is created with a process belongs to that process and ends with it.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
package final class Process: @unchecked Sendable {
    package let party: Party
    package var isDead = false
    package var operations = 0
    /// Whether the process's thread waits for the result of a request.
    package var isWaiting = false
    /// The thread that runs the process's current step.
    package var thread = pthread_self()
    /// The callbacks of requests, which run on other threads.
    package let callbacks = DispatchGroup()
    package var disturbances: [Disturbance] = []
    /// Whether the process uses the first store because the move to the later store failed.
    package var usesFirstStore = false
    /// Whether the move to the later store left records in the first store until the next start.
    package var leavesRecords = false
    /// Whether a disturbance affected the process in this step.
    package var wasDisturbed = false
    /// Whether a write was lost in this step.
    package var hasLostWrite = false
    /// Whether the device's key has begun to fail in this step.
    private(set) var hasKeyBegunToFail = false

    package init(_ party: Party) {
        self.party = party
    }

    /// Whether the process does not see any items yet in this step.
    package var isBlind: Bool {
        disturbances.contains { $0.what == .seesFrom && operations < $0.at }
    }

    /// Returns whether this write of an item has no effect; if so, records that a write was lost.
    package func losesWrite() -> Bool {
        guard !hasLostWrite, disturbances.contains(where: { $0.what == .losesWrite && operations >= $0.at })
        else {
            return false
        }
        (hasLostWrite, wasDisturbed) = (true, true)
        return true
    }

    /// Returns how often the device's key fails from now on, if it begins to fail now.
    package func beginningKeyFailures() -> Int? {
        guard !hasKeyBegunToFail else { return nil }
        for disturbance in disturbances where operations >= disturbance.at {
            guard case .keyFails(let count) = disturbance.what else { continue }
            hasKeyBegunToFail = true
            return count
        }
        return nil
    }

    /// Begins a step.
    package func begin(_ disturbances: [Disturbance]) {
        (self.disturbances, operations) = (disturbances, 0)
        (wasDisturbed, hasLostWrite, hasKeyBegunToFail) = (false, false, false)
    }

    /// Lets other threads of the process perform operations until the work and all callbacks have ended.
    ///
    /// A callback may continue after it has reported a result, and then no caller waits for it. So this method waits
    /// for all callbacks.
    package func waiting<Value>(_ work: () -> Value) -> Value {
        // `isWaiting` is set before the work, because the work may start a thread that begins before the work
        // has returned.
        let wasWaiting = isWaiting
        isWaiting = true
        defer { isWaiting = wasWaiting }
        let value = work()
        callbacks.wait()
        return value
    }
}

/// Performs every operation of every simulated process, in the function `pass`.
///
/// Before or after an operation, `pass` can kill the process, make the operation fail, or switch to another process.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
package final class Gate: @unchecked Sendable {
    /// The steps and the operations, as lines of text; empty unless `isTraced` is set.
    package private(set) var trace: [String] = []
    package var isTraced = false
    package let coverage = Coverage()
    /// The time of the simulated clock.
    package var now = Date(timeIntervalSince1970: 1_800_000_000)
    package private(set) var operations = 0
    /// The party whose process exceeded the maximum number of operations in a step; `nil` if no process exceeded it.
    package private(set) var endless: Party?
    /// Whether files can no longer be written.
    package var isDiskFull = false
    /// The seed of the life, for the scheduler's error messages.
    package var seed: UInt64 = 0
    private var scheduler: Scheduler?
    private var writer: Process?
    /// The number of the writer's open transactions.
    ///
    /// A transaction on one store can contain a transaction on another store.
    private var writes = 0
    /// The process that runs a transaction on the keychain.
    private var locker: Process?
    /// The process that waits for another process's transaction on the keychain.
    private var waiter: Process?
    private var labels: [String: Int] = [:]

    /// The maximum number of operations in a step.
    private static let bound = 6_000

    package init() {}

    /// Runs the work of two processes.
    ///
    /// Each element of `slices` is a number of operations after which the scheduler switches to the other process.
    package func together(_ works: [@Sendable () -> Void], of parties: [Party], slices: [Int]) {
        let scheduler = Scheduler(parties, slices: slices, seed: seed)
        self.scheduler = scheduler
        for (index, work) in works.enumerated() {
            let thread = Thread {
                scheduler.begin(index)
                work()
                scheduler.end(index)
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        scheduler.run()
        self.scheduler = nil
    }

    /// Performs an operation of a process, unless a disturbance prevents it.
    /// - Parameters:
    ///   - process: The process.
    ///   - operation: The operation.
    ///   - subject: The name of the item or record.
    ///   - isOfOnePiece: Whether the scheduler must not switch to another process before the operation, because the
    ///     caller holds a lock that both processes share in the simulation.
    ///   - fail: Makes an error from a status.
    ///   - effect: Performs the operation.
    /// - Returns: The result of the effect.
    /// - Throws: The error of the effect, or an error that `fail` makes.
    package func pass<Value, Failure: Error>(
        _ process: Process,
        _ operation: Operation,
        _ subject: @autoclosure () -> String,
        isOfOnePiece: Bool = false,
        failing fail: (Int32) -> Failure,
        _ effect: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // A dead process does not give up its turn, because it may still hold a store's lock until its calls
        // have failed.
        if !isOfOnePiece, !process.isDead { scheduler?.pass(process) }
        if operation == .begin || operation == .read {
            // As with a database, other processes wait until the writer's transaction has ended.
            while let writer, writer !== process, !writer.isDead, let scheduler {
                // Here, each process waits for the other process. A database ends such a wait with an error after
                // some time, so this operation fails.
                if locker === process, waiter === writer { throw fail(-5) }
                guard scheduler.yield(of: process) else { break }
            }
        }
        guard !process.isDead else { throw fail(0) }
        process.operations += 1
        operations += 1
        now += 0.001
        guard process.operations < Self.bound else {
            endless = process.party
            process.isDead = true
            record("\(process.party) does not end", "")
            throw fail(0)
        }
        let what = process.disturbances.first { $0.at == process.operations }?.what
        switch what {
        case .killBefore:
            coverage.count(.fault("killed before", at: operation))
            record("\(process.party) \(operation) \(subject())", "killed before")
            kill(process)
            throw fail(0)
        case .fault(let status) where operation != .committed:
            process.wasDisturbed = true
            coverage.count(.fault(Self.name(status, of: operation), at: operation))
            record("\(process.party) \(operation) \(subject())", "refused with \(status)")
            throw fail(status)
        case .killAfter, .fault, .seesFrom, .losesWrite, .keyFails, nil: break
        }
        do throws(Failure) {
            let value = try effect()
            record("\(process.party) \(operation) \(subject())", "")
            if operation == .begin { (writer, writes) = (process, writer === process ? writes + 1 : 1) }
            if what == .killAfter {
                coverage.count(.fault("killed after", at: operation))
                record("\(process.party)", "killed after")
                kill(process)
                throw fail(0)
            }
            return value
        } catch {
            if !process.isDead { record("\(process.party) \(operation) \(subject())", "\(error)") }
            throw error
        }
    }

    /// Runs a transaction on the keychain while no other process runs one.
    package func exclusively<Value>(_ process: Process, _ body: () throws -> Value) throws -> Value {
        while let locker, locker !== process, !locker.isDead, let scheduler {
            waiter = process
            guard scheduler.yield(of: process) else { break }
        }
        if waiter === process { waiter = nil }
        let isOutermost = locker !== process
        locker = process
        defer { if isOutermost, locker === process { locker = nil } }
        return try body()
    }

    /// Ends a process.
    package func kill(_ process: Process) {
        process.isDead = true
        process.wasDisturbed = true
        if writer === process { writer = nil }
    }

    /// Ends a transaction, whether it was committed or not.
    package func endTransaction(of process: Process) {
        guard writer === process else { return }
        writes -= 1
        if writes == 0 { writer = nil }
    }

    package func record(_ what: @autoclosure () -> String, _ outcome: @autoclosure () -> String) {
        guard isTraced else { return }
        let outcome = outcome()
        trace.append(outcome.isEmpty ? what() : "\(what()): \(outcome)")
    }

    /// Returns a name for a key.
    ///
    /// A key with random parts gets a number, which is the same in every run.
    package func label(_ key: String) -> String {
        guard key.count >= 36 else { return key }
        let number = labels[key] ?? labels.count + 1
        labels[key] = number
        return "#\(number)"
    }

    private static func name(_ status: Int32, of operation: Operation) -> String {
        if operation.isOfKeychain { return "\(status)" }
        return operation.isOfNetwork ? "no network" : "refused"
    }
}

/// Passes the turn from one thread to another, so that only one thread runs at a time.
///
/// It is `@unchecked`, because only the thread whose turn it is uses it.
private final class Scheduler: @unchecked Sendable {
    private let parties: [Party]
    /// The locks of the processes; a thread holds its process's lock while it waits for its turn.
    private let locks: [NSLock]
    private var threads: [pthread_t]
    private let batons: [DispatchSemaphore]
    private let end = DispatchSemaphore(value: 0)
    private let seed: UInt64
    private var slices: ArraySlice<Int>
    private var left: Int
    private var holder = 0
    private var ended: Set<Int> = []

    init(_ parties: [Party], slices: [Int], seed: UInt64) {
        self.parties = parties
        self.seed = seed
        locks = parties.map { _ in NSLock() }
        threads = parties.map { _ in pthread_self() }
        batons = parties.map { _ in DispatchSemaphore(value: 0) }
        self.slices = slices[...]
        left = self.slices.popFirst() ?? .max
    }

    func wait(for index: Int) {
        guard batons[index].wait(timeout: .now() + 30) == .success else {
            fatalError("seed \(seed): a process waits for a lock that the other process holds")
        }
    }

    func run() {
        batons[0].signal()
        end.wait()
    }

    /// Counts an operation of the thread whose turn it is, and switches to the other process if the slice is
    /// over.
    func pass(_ process: Process) {
        guard hasTurn(process) else {
            fatalError("seed \(seed): a thread of the \(process.party) runs out of turn")
        }
        left -= 1
        if left <= 0 { _ = yield(of: process) }
    }

    /// Lets the other process run, and returns when it is this process's turn again.
    /// - Returns: Whether this thread had the turn and no other thread of its process waits in this function.
    func yield(of process: Process) -> Bool {
        guard hasTurn(process) else { return false }
        let me = locks[holder]
        guard me.try() else { return false }
        defer { me.unlock() }
        yield()
        return true
    }

    /// Returns whether this thread belongs to the process whose turn it is.
    ///
    /// The thread is either the process's own thread or a thread for which the process waits.
    private func hasTurn(_ process: Process) -> Bool {
        parties[holder] == process.party
            && (pthread_equal(threads[holder], pthread_self()) != 0 || process.isWaiting)
    }

    func begin(_ index: Int) {
        wait(for: index)
        threads[index] = pthread_self()
    }

    private func yield() {
        left = slices.popFirst() ?? .max
        let other = (holder + 1) % batons.count
        guard other != holder, !ended.contains(other) else { return }
        let me = holder
        holder = other
        batons[other].signal()
        wait(for: me)
    }

    func end(_ index: Int) {
        ended.insert(index)
        guard let other = batons.indices.first(where: { !ended.contains($0) }) else {
            return end.signal().void
        }
        holder = other
        batons[other].signal()
    }
}

extension Int {
    fileprivate var void: Void { () }
}
