package import Foundation

/// Who runs on the phone.
package enum Party: String, Codable, CaseIterable, Sendable {
    /// The app, of our release.
    case app
    /// The extension of the app, of our release.
    case helper
    /// The app's previous release, with the legacy SDK.
    case previous
}

/// An operation of a process on keychain, store or network.
package enum Operation: String, CaseIterable, Sendable {
    case add, update, data, accessibility, accounts, names, dates, items, remove
    case read, begin, put, delete, commit, committed
    case send, receive

    /// Whether it is one of the network.
    package var isOfNetwork: Bool { self == .send || self == .receive }

    /// Whether it is one of a store.
    package var isOfStore: Bool { !isOfKeychain && !isOfNetwork }

    /// Whether it is one of the keychain.
    package var isOfKeychain: Bool {
        switch self {
        case .add, .update, .data, .accessibility, .accounts, .names, .dates, .items, .remove: true
        case .read, .begin, .put, .delete, .commit, .committed, .send, .receive: false
        }
    }
}

/// What happens to a process at one of its operations.
package struct Disturbance: Codable, Equatable, Sendable {
    /// What happens.
    package enum What: Codable, Equatable, Sendable {
        /// The process ends before the operation has an effect.
        case killBefore
        /// The process ends after the operation had its effect.
        case killAfter
        /// The operation fails: a keychain answers with this status, a store is full, a network is not there.
        case fault(Int32)
        /// The process sees no item before the operation, as one that runs while the user unlocks the device.
        case seesFrom
    }

    /// The number of the operation within the step, from 1 on.
    package var at: Int
    package var what: What
}

/// The process is dead: nothing that it still does has an effect.
package struct Death: Error {}

/// A process: what of it lives no longer than it does is in the objects that it was given.
package final class Process: @unchecked Sendable {
    // Only the holder of the baton touches it.
    package let party: Party
    package var isDead = false
    package var operations = 0
    /// Whether its thread waits for the result of a request.
    package var isWaiting = false
    /// The thread of its current step.
    package var thread = pthread_self()
    /// The callbacks of requests, which run on other threads.
    package let callbacks = DispatchGroup()
    package var disturbances: [Disturbance] = []
    /// Whether it uses the first store although a later one exists, because the move between the two failed.
    package var usesFirstStore = false
    /// Whether a fault met it in this step.
    package var wasDisturbed = false

    package init(_ party: Party) {
        self.party = party
    }

    /// Whether it does not see any item yet in this step.
    package var isBlind: Bool {
        disturbances.contains { $0.what == .seesFrom && operations < $0.at }
    }

    /// Lets other threads of the process perform operations until the work and all callbacks have ended.
    ///
    /// A callback may run on after it has reported a result, and a request may have a callback that no caller waits for.
    package func waiting<Value>(_ work: () -> Value) -> Value {
        // Before the work: another thread may begin while this one still starts it.
        let wasWaiting = isWaiting
        isWaiting = true
        defer { isWaiting = wasWaiting }
        let value = work()
        callbacks.wait()
        return value
    }
}

/// Through which every operation of every process passes, and where everything that is not the product's doing happens.
package final class Gate: @unchecked Sendable {
    // Only the holder of the baton touches it.
    /// What happened, a line for each operation; kept only if asked for.
    package private(set) var trace: [String] = []
    package var isTraced = false
    package let coverage = Coverage()
    /// The time of the simulated clock.
    package var now = Date(timeIntervalSince1970: 1_800_000_000)
    package private(set) var operations = 0
    /// The processes that did not end in time.
    package private(set) var endless: Party?
    /// Whether nothing more can be written to files.
    package var isDiskFull = false
    /// The seed of the life, for the message of a deadlock.
    package var seed: UInt64 = 0
    private var turns: Turns?
    private var writer: Process?
    /// How many transactions of the writer are open; one on another store may be within it.
    private var writes = 0
    /// Who runs a transaction on the keychain.
    private var locker: Process?
    /// Who waits until no other process does.
    private var waiter: Process?
    private var labels: [String: Int] = [:]

    /// At most how many operations a step takes.
    private static let bound = 6_000

    package init() {}

    /// Runs the work of two processes; each element of `slices` is the number of operations after which they switch.
    package func together(_ works: [@Sendable () -> Void], of parties: [Party], slices: [Int]) {
        let turns = Turns(parties, slices: slices, seed: seed)
        self.turns = turns
        for (index, work) in works.enumerated() {
            let thread = Thread {
                turns.begin(index)
                work()
                turns.end(index)
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        turns.run()
        self.turns = nil
    }

    /// Carries out an operation of a process, unless something happens to it.
    /// - Parameters:
    ///   - process: The process.
    ///   - operation: The operation.
    ///   - subject: The name of the item or record.
    ///   - isOfOnePiece: Whether the other process may not go on before it, because a lock of the process is held that both
    ///     share here.
    ///   - fail: Makes an error of a status.
    ///   - effect: Does it.
    /// - Returns: The result of the effect.
    /// - Throws: The error of the effect, or one that `fail` makes.
    package func pass<Value, Failure: Error>(
        _ process: Process,
        _ operation: Operation,
        _ subject: @autoclosure () -> String,
        isOfOnePiece: Bool = false,
        failing fail: (Int32) -> Failure,
        _ effect: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // A dead process may hold the lock of a store until its calls have failed.
        if !isOfOnePiece, !process.isDead { turns?.pass(process) }
        if operation == .begin || operation == .read {
            // The store makes others wait for its writer.
            while let writer, writer !== process, !writer.isDead, let turns {
                // Each waits for the other; a database ends that after a time.
                if locker === process, waiter === writer { throw fail(-5) }
                guard turns.yield(of: process) else { break }
            }
        }
        guard !process.isDead else { throw fail(0) }
        process.operations += 1
        operations += 1
        now += 0.001
        guard process.operations < Self.bound else {
            endless = process.party
            process.isDead = true
            note("\(process.party) does not end", "")
            throw fail(0)
        }
        let what = process.disturbances.first { $0.at == process.operations }?.what
        switch what {
        case .killBefore:
            coverage.count(.fault("killed before", at: operation))
            note("\(process.party) \(operation) \(subject())", "killed before")
            kill(process)
            throw fail(0)
        case .fault(let status) where operation != .committed:
            process.wasDisturbed = true
            coverage.count(.fault(Self.name(status, of: operation), at: operation))
            note("\(process.party) \(operation) \(subject())", "refused with \(status)")
            throw fail(status)
        case .killAfter, .fault, .seesFrom, nil: break
        }
        do throws(Failure) {
            let value = try effect()
            note("\(process.party) \(operation) \(subject())", "")
            if operation == .begin { (writer, writes) = (process, writer === process ? writes + 1 : 1) }
            if what == .killAfter {
                coverage.count(.fault("killed after", at: operation))
                note("\(process.party)", "killed after")
                kill(process)
                throw fail(0)
            }
            return value
        } catch {
            if !process.isDead { note("\(process.party) \(operation) \(subject())", "\(error)") }
            throw error
        }
    }

    /// Runs a transaction on the keychain while no other process does.
    package func exclusively<Value>(_ process: Process, _ body: () throws -> Value) throws -> Value {
        while let locker, locker !== process, !locker.isDead, let turns {
            waiter = process
            guard turns.yield(of: process) else { break }
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

    /// Ends a transaction, committed or not.
    package func endTransaction(of process: Process) {
        guard writer === process else { return }
        writes -= 1
        if writes == 0 { writer = nil }
    }

    package func note(_ what: @autoclosure () -> String, _ outcome: @autoclosure () -> String) {
        guard isTraced else { return }
        let outcome = outcome()
        trace.append(outcome.isEmpty ? what() : "\(what()): \(outcome)")
    }

    /// A name for a key that has parts which differ from run to run.
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

/// Hands the baton from one thread to the other: only its holder runs.
private final class Turns: @unchecked Sendable {
    // Only the holder of the baton touches it.
    private let parties: [Party]
    /// Held by the thread of a process that waits for its turn.
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
            fatalError("seed \(seed): a process waits for a lock that the other one holds")
        }
    }

    func run() {
        batons[0].signal()
        end.wait()
    }

    /// Counts an operation of the holder, and lets the other one go on if its slice is over.
    func pass(_ process: Process) {
        guard hasTurn(process) else {
            fatalError("seed \(seed): a thread of the \(process.party) works without having the turn")
        }
        left -= 1
        if left <= 0 { _ = yield(of: process) }
    }

    /// Lets the other process run, and returns when it is this one's turn again.
    /// - Returns: Whether this thread had the turn, and no other thread of its process waits here.
    func yield(of process: Process) -> Bool {
        guard hasTurn(process) else { return false }
        let me = locks[holder]
        guard me.try() else { return false }
        defer { me.unlock() }
        yield()
        return true
    }

    /// Whether this thread is the one of the process that has the turn, or one that this process waits for.
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
