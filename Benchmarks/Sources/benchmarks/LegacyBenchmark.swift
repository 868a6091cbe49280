import FRAuthenticator
import Foundation
import PingOath
import PingPush
import PushBridgeCore

/// Compares calls of the legacy API with the equivalent calls of the async API, on one store.
struct LegacyBenchmark {
    let accounts: Int
    let notificationsEach: Int
    let folder: URL

    func run() async throws {
        let generated = GeneratedAccounts(count: accounts, notificationsEach: notificationsEach)
        let apis = try await BothAPIs(
            generated,
            at: folder.appendingPathComponent("legacy-\(accounts).db").path
        )
        print(
            """
            \(accounts) accounts with a push and a TOTP credential each, \
            \(accounts * notificationsEach) notifications
            """
        )
        try await read(apis, generated)
        try await answer(apis, generated)
        try apis.store.close()
    }

    private func read(_ apis: BothAPIs, _ generated: GeneratedAccounts) async throws {
        let many = accounts > 100 ? 61 : 501
        let number = accounts / 2
        try await compare("getAllAccounts", rounds: many) { _ in
            let mechanisms = apis.client.getAllAccounts().flatMap(\.mechanisms)
            try check(mechanisms.count == accounts * 2)
        } new: { _ in
            let push = try await apis.push.getCredentials()
            let oath = try await apis.oath.getCredentials()
            let notifications = try await apis.push.getAllNotifications()
            try check(push.count + oath.count + notifications.count == accounts * (2 + notificationsEach))
        }
        try await compare("getAllAccounts, looking at each notification", rounds: many) { _ in
            let push = apis.client.getAllAccounts().flatMap(\.mechanisms).compactMap { $0 as? PushMechanism }
            try check(push.reduce(0) { $0 + $1.notifications.count } == accounts * notificationsEach)
        } new: { _ in
            let push = try await apis.push.getCredentials()
            let oath = try await apis.oath.getCredentials()
            let all = try await apis.push.getAllNotifications()
            let notifications = Dictionary(grouping: all, by: \.credentialId)
            let count = push.reduce(0) { $0 + (notifications[$1.id]?.count ?? 0) }
            try check(count == accounts * notificationsEach && oath.count == accounts)
        }
        try await compare("getAccount(identifier:)", rounds: 2001) { _ in
            try check(apis.client.getAccount(identifier: generated.identifier(number))?.mechanisms.count == 2)
        } new: { _ in
            let push = try await apis.push.getCredential(generated.pushId(number))
            let oath = try await apis.oath.getCredential(generated.oathId(number))
            let notifications = try await apis.notifications(of: generated.pushId(number))
            try check(push != nil && oath != nil && notifications.count == notificationsEach)
        }
        try await compare("getMechanism(notification:)", rounds: 2001) { _ in
            let found = apis.client.getMechanism(notification: apis.notification)
            try check(found?.notifications.count == notificationsEach)
        } new: { _ in
            let push = try await apis.push.getCredential(generated.pushId(number))
            let notifications = try await apis.notifications(of: generated.pushId(number))
            try check(push != nil && notifications.count == notificationsEach)
        }
        try await compare("getAllNotifications", rounds: many) { _ in
            try check(apis.client.getAllNotifications().count == accounts * notificationsEach)
        } new: { _ in
            try check(await apis.push.getAllNotifications().count == accounts * notificationsEach)
        }
        let wanted = generated.notification(0, of: number)
        let identifier = wanted.legacyIdentifier
        try await compare("getNotification", rounds: 2001) { _ in
            try check(apis.client.getNotification(identifier: identifier)?.messageId == wanted.messageId)
        } new: { _ in
            try check(await apis.push.getNotification(wanted.id)?.messageId == wanted.messageId)
        }
        try await compare("TOTP code", rounds: 2001) { _ in
            try check(apis.mechanism.generateCode().code.count == 6)
        } new: { _ in
            try check(await apis.oath.generateCodeWithValidity(generated.oathId(number)).code.count == 6)
        }
    }

    private func answer(_ apis: BothAPIs, _ generated: GeneratedAccounts) async throws {
        let rounds = 301
        try await compare("updateAccount", rounds: rounds) { round in
            apis.account.displayAccountName = "Legacy \(round)"
            try check(apis.client.updateAccount(account: apis.account))
        } new: { round in
            var credential = apis.credential
            credential.displayAccountName = "New \(round)"
            try await apis.push.saveCredential(credential)
        }
        let payloads = (0..<2 * rounds).map { generated.payload($0, for: apis.credential) }
        var received: [FRAuthenticator.PushNotification] = []
        var processed: [String] = []
        try await compare("receiving a push", rounds: rounds) { round in
            received.append(try present(apis.receive(payloads[2 * round])))
        } new: { round in
            let push = try await apis.push.processNotification(userInfo: payloads[2 * round + 1])
            processed.append(try present(push).id)
        }
        try await compare("accepting a push", rounds: rounds) { round in
            try await apis.accept(received[round])
        } new: { round in
            try check(await apis.push.approveNotification(processed[round]))
        }
    }

    private func compare(
        _ name: String,
        rounds: Int,
        legacy: (Int) async throws -> Void,
        new: (Int) async throws -> Void
    ) async throws {
        let comparison = try await Comparison(rounds: rounds, first: legacy, second: new)
        print(
            String(
                format: "  \(name): %.3f ms, async API %.3f ms, ratio %.2f",
                comparison.first * 1000,
                comparison.second * 1000,
                comparison.ratio
            )
        )
    }

    private func check(_ isRight: Bool) throws {
        guard isRight else { throw wrong }
    }

    private func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw wrong }
        return value
    }

    private var wrong: ChildProcess.Failure {
        ChildProcess.Failure(description: "A store returned a wrong result.")
    }
}
