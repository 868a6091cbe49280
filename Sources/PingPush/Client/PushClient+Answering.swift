import Foundation
import Logging

extension PushClient {
    /// Approves a push of type `default`; `false` if it was answered already, or an answer is on its way.
    ///
    /// Changes the push only after the server accepted. Throws ``PushError/networkFailure(_:_:)`` or
    /// `CancellationError` with the push still pending, and ``PushError/invalidPushType(_:)``,
    /// ``PushError/credentialLocked(_:)`` or ``PushError/notificationNotFound(_:)`` before anything is sent.
    @discardableResult
    public func approveNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.approve, to: notificationId)
    }

    /// Approves a push of type `challenge` with the number the user chose; see ``approveNotification(_:)``.
    @discardableResult
    public func approveChallengeNotification(
        _ notificationId: String,
        challengeResponse: String
    ) async throws -> Bool {
        guard !challengeResponse.isEmpty else {
            throw PushError.invalidParameterValue("The challenge response is empty.")
        }
        return try await answer(.approveChallenge(challengeResponse), to: notificationId)
    }

    /// Approves a push of type `biometric` after local authentication; see ``approveNotification(_:)``.
    ///
    /// The method of authentication is logged and not sent: servers have no field for it.
    @discardableResult
    public func approveBiometricNotification(
        _ notificationId: String,
        authenticationMethod: String
    ) async throws -> Bool {
        configuration.logger?.debug("Local authentication: \(authenticationMethod).")
        return try await answer(
            .approveBiometric,
            to: notificationId,
            authenticationMethod: authenticationMethod
        )
    }

    /// Denies a push of any type; see ``approveNotification(_:)``.
    @discardableResult
    public func denyNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.deny, to: notificationId)
    }

    private func answer(
        _ answer: PushAnswer,
        to notificationId: String,
        authenticationMethod: String? = nil
    ) async throws -> Bool {
        let storage = try openStorage()
        let scope = StorageScope.notification(notificationId)
        try await applyPolicies(for: notificationId)
        guard let claimed = try await claim(answer, to: notificationId) else { return false }
        do {
            guard try await deliver(claimed, authenticationMethod) else {
                await release(claimed, in: storage)
                return false
            }
        } catch {
            await release(claimed, in: storage)
            throw error
        }
        let now = configuration.now()
        _ = try await storage.write(scope) { try $0.complete(claimed, at: now) }
        return true
    }

    /// A failure is logged, because the caller has to learn why there was no answer; the claim ends by itself.
    private func release(_ claimed: ClaimedAnswer, in storage: any ClientStorage) async {
        do {
            try await storage.write(.notification(claimed.notification.id)) { try $0.release(claimed) }
        } catch {
            let id = claimed.notification.id
            configuration.logger?.error("\(id) takes no answer for a while: \(error.localizedDescription)")
        }
    }

    private func applyPolicies(for notificationId: String) async throws {
        let credential = try await read(.notification(notificationId)) { view in
            try view.notification(id: notificationId).flatMap { try view.pushCredential(id: $0.credentialId) }
        }
        if let credential { _ = try await applyingPolicies(to: credential) }
    }

    /// The right to send an answer; `nil` if there is nothing to answer any more.
    private func claim(_ answer: PushAnswer, to notificationId: String) async throws -> ClaimedAnswer? {
        let now = configuration.now()
        let claim = AnswerClaim(id: UUID().uuidString, from: now, lasting: answerTimeout * 2 + 10)
        do {
            return try await write(.notification(notificationId)) { view in
                try view.claimAnswer(answer, to: notificationId, claim: claim, now: now)
            }
        } catch PushAnswerError.notPending {
            return nil
        } catch let error as PushAnswerError {
            throw try await translate(error, notificationId)
        }
    }

    private func translate(_ error: PushAnswerError, _ notificationId: String) async throws -> PushError {
        let notification = try await getNotification(notificationId)
        let credentialId = notification?.credentialId ?? notificationId
        return switch error {
        case .notificationNotFound, .notPending: .notificationNotFound(notificationId)
        case .credentialNotFound: .credentialNotFound(credentialId)
        case .wrongKind(let type): .invalidPushType("It is of the type \(type.rawValue).")
        case .locked: .credentialLocked(credentialId)
        case .invalidChallenge: .invalidParameterValue("The push's challenge is not base64.")
        }
    }
}
