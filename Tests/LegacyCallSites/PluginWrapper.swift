import FRAuthenticator
import Foundation

import class FRCore.FRJailbreakDetector

/// A plugin that passes the SDK's objects to another language as JSON.
class PluginWrapper {
    static var errorCodes: [Int: String] {
        [
            MechanismError.alreadyExists("").code: "DUPLICATE_MECHANISM_EXCEPTION",
            AccountError.failToRegisterPolicyViolation("").code: "POLICY_VIOLATION_EXCEPTION",
            PushNotificationError.missingDeviceToken.code: "MISSING_DEVICE_TOKEN",
        ]
    }

    func start(storage: StorageClient) throws {
        try FRAClient.setStorage(storage: storage)
        let evaluator = FRAPolicyEvaluator()
        try evaluator.registerPolicies(policies: [RootedPolicy()], shouldOverride: false)
        try FRAClient.setPolicyEvaluator(policyEvaluator: evaluator)
        FRAClient.start()
    }

    func createMechanism(_ uri: String, result: @escaping (Result<String, Error>) -> Void) {
        guard let fraClient = FRAClient.shared, let url = URL(string: uri) else { return }
        fraClient.createMechanismFromUri(uri: url) { mechanism in
            if let mechanism = mechanism as? OathMechanism {
                result(.success(mechanism.toJson() ?? ""))
            } else if let mechanism = mechanism as? PushMechanism {
                result(.success(mechanism.toJson() ?? ""))
            }
        } onError: { error in
            result(.failure(error))
        }
    }

    func accounts() -> [String] {
        FRAClient.shared?.getAllAccounts().compactMap { $0.toJson() } ?? []
    }

    func account(json: String) -> Account? {
        guard let data = json.data(using: .utf8) else { return nil }
        return try? JSONDecoder().decode(Account.self, from: data)
    }

    func updateAccount(json: String) -> Bool {
        guard let account = account(json: json) else { return false }
        do {
            return try FRAClient.shared?.updateAccount(account: account) ?? false
        } catch {
            return false
        }
    }

    func code(json: String) -> String? {
        guard let account = account(json: json), let client = FRAClient.shared,
            let stored = client.getAccount(identifier: account.identifier)
        else { return nil }
        for mechanism in stored.mechanisms {
            if let totp = mechanism as? TOTPMechanism { return try? totp.generateCode().toJson() }
            if let hotp = mechanism as? HOTPMechanism { return try? hotp.generateCode().toJson() }
        }
        return nil
    }

    func performPushAuthentication(
        _ identifier: String,
        accept: Bool,
        result: @escaping (Bool, Error?) -> Void
    ) {
        guard let notification = FRAClient.shared?.getNotification(identifier: identifier) else {
            return result(false, nil)
        }
        if accept {
            notification.accept(onSuccess: { result(true, nil) }, onError: { result(false, $0) })
        } else {
            notification.deny(onSuccess: { result(true, nil) }, onError: { result(false, $0) })
        }
    }
}

protocol MechanismMaking {
    func make(uri: URL, onSuccess: @escaping MechanismCallback, onError: @escaping ErrorCallback)
}

extension PluginWrapper: MechanismMaking {
    func make(uri: URL, onSuccess: @escaping (Mechanism) -> Void, onError: @escaping (Error) -> Void) {
        FRAClient.shared?.createMechanismFromUri(uri: uri, onSuccess: onSuccess, onError: onError)
    }
}

class RootedPolicy: FRAPolicy {
    var name: String { "rooted" }
    var data: Any?

    func evaluate() -> Bool {
        guard let parameters = data as? [String: Any], let limit = parameters["limit"] as? Double else {
            return true
        }
        return FRJailbreakDetector.shared.analyze() < limit
    }
}
