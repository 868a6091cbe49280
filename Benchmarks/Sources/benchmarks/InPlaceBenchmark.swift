import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore

/// Measures the legacy API on the legacy SDK's own items.
///
/// Each store has ten times as many accounts as the store before it. If an operation takes more than 30 times as
/// long as on the smaller store, and more than 100 ms, its work counts as quadratic, and the benchmark fails.
struct InPlaceBenchmark {
    private static let limit = 30.0

    let accounts: [Int]

    func run() async throws {
        var before: [String: Double] = [:]
        for count in accounts {
            let measured = try await measure(count)
            for (name, milliseconds, operations) in measured {
                let ratio = before[name].map { milliseconds / $0 }
                let growth = ratio.map { String(format: ", %.1f times as long", $0) } ?? ""
                let time = String(format: "%.2f", milliseconds)
                print("  \(name): \(time) ms, \(operations) operations\(growth)")
                if let ratio, ratio > Self.limit, milliseconds > 100 {
                    throw ChildProcess.Failure(description: "\(name) does quadratic work in place.")
                }
                before[name] = milliseconds
            }
        }
    }

    private func measure(_ count: Int) async throws -> [(String, Double, Int)] {
        let generated = GeneratedAccounts(count: count, notificationsEach: 1)
        let keychain = CountingKeychain()
        let items = try generated.write(to: KeychainWriter(keychain: keychain, key: nil))
        print("The legacy API in place: \(items) items in an in-memory keychain, \(count) accounts")
        let (client, handler) = FRAClient.separate(
            store: FRAClient.storeInPlace(keychain),
            transport: ImmediateTransport()
        )
        var measured: [(String, Double, Int)] = []
        func time(_ name: String, rounds: Int = 1, _ body: (Int) async throws -> Void) async rethrows {
            var times: [Double] = []
            let before = keychain.total
            for round in 0..<rounds {
                let start = ContinuousClock.now
                try await body(round)
                times.append((ContinuousClock.now - start) / .milliseconds(1))
            }
            measured.append((name, times.median, (keychain.total - before) / rounds))
        }
        try await time("the first list of a process") { _ in
            try check(client.getAllAccounts().flatMap(\.mechanisms).count == 2 * count)
        }
        try await time("a later list", rounds: 3) { _ in
            try check(client.getAllAccounts().flatMap(\.mechanisms).count == 2 * count)
        }
        try await time("one account", rounds: 5) { round in
            let identifier = generated.identifier(round)
            try check(client.getAccount(identifier: identifier)?.mechanisms.count == 2)
        }
        guard let account = client.getAccount(identifier: generated.identifier(count / 2)),
            let mechanism = account.mechanisms.first(where: { $0 is TOTPMechanism }) as? TOTPMechanism
        else { throw wrong }
        try await time("a one-time password", rounds: 5) { _ in
            try check(mechanism.generateCode().code.count == 6)
        }
        try await time("renaming", rounds: 5) { round in
            account.displayAccountName = "Round \(round)"
            try check(client.updateAccount(account: account))
        }
        let contents = try FRAClient.storeInPlace(keychain).contents()
        let id = generated.pushId(count / 2)
        guard let credential = contents.pushCredentials.first(where: { $0.id == id }) else { throw wrong }
        var received: [FRAuthenticator.PushNotification] = []
        try await time("receiving a push", rounds: 5) { round in
            let payload = generated.payload(round, for: credential)
            let push = handler.application(.shared, didReceiveRemoteNotification: payload)
            guard let push else { throw wrong }
            received.append(push)
        }
        try await time("answering a push", rounds: 5) { round in
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                received[round].accept(
                    onSuccess: { done.resume() },
                    onError: { done.resume(throwing: $0) }
                )
            }
        }
        return measured
    }

    private func check(_ isRight: Bool) throws {
        guard isRight else { throw wrong }
    }

    private var wrong: ChildProcess.Failure {
        ChildProcess.Failure(description: "A store returned a wrong result.")
    }
}
