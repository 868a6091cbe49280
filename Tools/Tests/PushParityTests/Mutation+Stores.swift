import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform
import PushBridgeTestSupport
import PushParity

extension Mutation {
    /// Mutations of stores that ignore some changes.
    static let stores: [Mutation] = [
        writing("an answer is not stored", in: "A push is approved") { change in
            if case .notification(let notification) = change { return notification.pending }
            return true
        },
        writing("a claim is not released", in: "An answer fails with refusal and is repeated") { change in
            if case .notification(let notification) = change {
                return notification.hasClaim || !notification.pending || notification.isNew
            }
            return true
        },
        writing("a new name is not stored", in: "An account is renamed") { change in
            if case .account(let account) = change { return account.customDisplayIssuer == nil }
            return true
        },
        writing(
            "a deleted credential's notifications stay",
            in: "A credential is deleted with its notifications"
        ) { change in
            if case .removalOfNotifications = change { return false }
            return true
        },
        writing("the token is not stored", in: "The token changes, and every server receives it") { change in
            if case .token(let token) = change { return token.tokenId.lowercased() != "ff00" }
            return true
        },
        writing(
            "a server's refusal of the token is forgotten",
            in: "One server of two rejects the new token"
        ) { change in
            if case .token(let token) = change { return token.unconfirmedCredentialIds.isEmpty }
            return true
        },
        writing("the user's id is not filled in", in: "A push contains the user's id") { change in
            if case .credential(let credential) = change { return credential.userId == nil }
            return true
        },
        writing("a lock is not stored", in: "A policy locks an account and unlocks it again") { change in
            if case .account(let account) = change { return !account.isLocked }
            return true
        },
    ]

    private static func writing(
        _ name: String,
        in scenario: String,
        _ keeps: @escaping @Sendable (ForgetfulStore.Change) -> Bool
    ) -> Mutation {
        Mutation(name, in: scenario) { changes in
            changes.store = { ForgetfulStore($0, keeps: keeps) }
        }
    }
}

extension PushNotification {
    /// Whether the notification is saved for the first time and has been neither answered nor claimed.
    fileprivate var isNew: Bool { respondedAt == nil && !hasClaim && Self.firstSaves.first(id) }

    private static let firstSaves = FirstTimes()
}

/// Distinguishes the first use of a name from later uses.
private final class FirstTimes: Sendable {
    private let seen = Lock<Set<String>>([])

    func first(_ name: String) -> Bool { seen.withValue { $0.insert(name).inserted } }
}
