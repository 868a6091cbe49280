import FRAuthenticator
import FRCore
import Foundation

#if canImport(UIKit)
import UIKit
#endif

// This file uses every public declaration of FRAuthenticator 4.9.1, each with the type that it has in that
// version. The test is that this file compiles in both language modes.

func callbackTypes() {
    let _: () -> Void = {} as SuccessCallback
    let _: (Error) -> Void = { _ in } as ErrorCallback
    let _: ([Account]) -> Void = { _ in } as AccountsCallback
    let _: (Account) -> Void = { _ in } as AccountCallback
    let _: (Mechanism) -> Void = { _ in } as MechanismCallback
}

func errorCases() {
    let _: [AccountError] = [
        .accountLocked(""), .failToLockMissingPolicyName, .failToLockInvalidPolicy,
        .failToLockAccountAlreadyLocked, .failToUnlockAccountNotLocked, .failToRegisterPolicyViolation(""),
    ]
    let _: [CryptoError] = [.invalidParam(""), .failToConvertData, .invalidJWT, .unsupportedJWTType]
    let _: [FRAError] = [
        .invalidStateForChangingStorage, .failToSaveIntoStorageClient(""),
        .invalidStateForChangingPolicyEvaluator, .invalidPolicyRegisteredWithPolicyEvaluator(""),
    ]
    let _: [MechanismError] = [
        .invalidQRCode, .invalidType, .missingInformation(""), .invalidInformation(""), .alreadyExists(""),
        .failedToUpdateInformation(""),
    ]
    let _: [NotificationError] = [.invalidPayload("")]
    let _: [OathError] = [.invalidSecret]
    let _: [PushNotificationError] = [
        .missingDeviceToken, .notificationInvalidStatus, .storageError(""), .updateFailed(errors: [Error]()),
    ]
}

func errorNumbers(
    _ errors: (
        AccountError, CryptoError, FRAError, MechanismError, NotificationError, OathError,
        PushNotificationError
    )
) {
    let _: [Int] = [
        errors.0.errorCode, errors.1.errorCode, errors.2.errorCode, errors.3.errorCode, errors.4.errorCode,
        errors.5.errorCode, errors.6.errorCode,
    ]
    let _: [[String: Any]] = [
        errors.0.errorUserInfo, errors.1.errorUserInfo, errors.2.errorUserInfo, errors.3.errorUserInfo,
        errors.4.errorUserInfo, errors.5.errorUserInfo, errors.6.errorUserInfo,
    ]
    let _: [String] = [
        AccountError.errorDomain, CryptoError.errorDomain, FRAError.errorDomain, MechanismError.errorDomain,
        NotificationError.errorDomain, OathError.errorDomain, PushNotificationError.errorDomain,
    ]
    let _: [FRError] = [
        errors.0, errors.1, errors.2, errors.3, errors.4, errors.5, errors.6,
    ]
}

func client(_ client: FRAClient) throws {
    FRAClient.shared = client
    FRAClient.shared = nil
    let _: FRAClient? = FRAClient.shared
    let _: NSObject = client
    let _: () -> Void = FRAClient.start
    let _: (StorageClient) throws -> Void = FRAClient.setStorage(storage:)
    let _: (FRAPolicyEvaluator) throws -> Void = FRAClient.setPolicyEvaluator(policyEvaluator:)
    let _: () -> [Account] = client.getAllAccounts
    let _: (Mechanism) -> Account? = client.getAccount(mechanism:)
    let _: (String) -> Account? = client.getAccount(identifier:)
    let _: (Account) throws -> Bool = client.updateAccount(account:)
    let _: (Account) -> Bool = client.removeAccount(account:)
    let _: (Account, FRAPolicy) throws -> Bool = client.lockAccount(account:policy:)
    let _: (Account) throws -> Bool = client.unlockAccount(account:)
    let _: (PushNotification) -> PushMechanism? = client.getMechanism(notification:)
    let _: (Mechanism) -> Bool = client.removeMechanism(mechanism:)
    let _: (PushMechanism) -> [PushNotification] = client.getAllNotifications(mechanism:)
    let _: () -> [PushNotification] = client.getAllNotifications
    let _: (String) -> PushNotification? = client.getNotification(identifier:)
    let _: (PushNotification) -> Bool = client.removeNotification(notification:)
    let _: (URL, @escaping MechanismCallback, @escaping ErrorCallback) -> Void =
        client.createMechanismFromUri(uri:onSuccess:onError:)
    let account = client.getAllAccounts()[0]
    try client.updateAccount(account: account)
    try client.lockAccount(account: account, policy: BiometricAvailablePolicyOfApp())
    try client.unlockAccount(account: account)
    client.removeAccount(account: account)
}

/// In the SDK, the protocol is limited to classes, so that an app can hold a policy weakly.
final class WeakPolicyHolder {
    weak var policy: FRAPolicy?
}

class BiometricAvailablePolicyOfApp: FRAPolicy {
    var name: String = "app"
    var data: Any?
    func evaluate() -> Bool { true }
}

func log() {
    let _: (LogLevel) -> Void = FRALog.setLogLevel
    let _: [(String, Bool?, String, Int, String) -> Void] = [
        FRALog.v(_:_:file:line:function:), FRALog.i(_:_:file:line:function:),
        FRALog.w(_:_:file:line:function:),
    ]
    let _: (String, String, Int, String) -> Void = FRALog.e(_:file:line:function:)
    FRALog.v("a")
    FRALog.i("a", false)
    FRALog.w("a", nil, file: "f", line: 1, function: "g")
    FRALog.e("a")
}

func accounts(_ account: Account, _ coder: NSCoder, _ encoder: Encoder, _ decoder: Decoder) throws {
    let _: NSObject & NSSecureCoding & Codable = account
    let _: [String] = [account.issuer, account.accountName, account.identifier]
    let _: [String?] = [account.imageUrl, account.backgroundColor, account.policies, account.lockingPolicy]
    account.displayIssuer = nil
    account.displayAccountName = "name"
    let _: [String?] = [account.displayIssuer, account.displayAccountName]
    let _: (Date, Bool, [Mechanism]) = (account.timeAdded, account.lock, account.mechanisms)
    let _: Bool = Account.supportsSecureCoding
    account.encode(with: coder)
    let _: Account? = Account(coder: coder)
    try account.encode(to: encoder)
    let _: Account = try Account(from: decoder)
    let _: (FRAPolicy) -> Void = account.lock(policy:)
    account.unlock()
    let _: String? = account.toJson()
}

func mechanisms(_ mechanism: Mechanism, _ coder: NSCoder, _ encoder: Encoder, _ decoder: Decoder) throws {
    let _: NSObject & NSSecureCoding & Codable = mechanism
    let _: [String] = [
        mechanism.mechanismUUID, mechanism.type, mechanism.issuer, mechanism.accountName,
        mechanism.identifier, mechanism.accountIdentifier,
    ]
    let _: Date = mechanism.timeAdded
    let _: [String?] = [mechanism.uid, mechanism.resourceId]
    mechanism.encode(with: coder)
    try mechanism.encode(to: encoder)
    let _: [Bool] = [
        Mechanism.supportsSecureCoding, OathMechanism.supportsSecureCoding,
        HOTPMechanism.supportsSecureCoding, TOTPMechanism.supportsSecureCoding,
        PushMechanism.supportsSecureCoding,
    ]
    let _: [Mechanism?] = [
        Mechanism(coder: coder), OathMechanism(coder: coder), HOTPMechanism(coder: coder),
        TOTPMechanism(coder: coder), PushMechanism(coder: coder),
    ]
    let _: [Mechanism] = [
        try Mechanism(from: decoder), try OathMechanism(from: decoder), try HOTPMechanism(from: decoder),
        try TOTPMechanism(from: decoder), try PushMechanism(from: decoder),
    ]
}

func oneTimePasswords(_ hotp: HOTPMechanism, _ totp: TOTPMechanism) throws {
    let _: [OathMechanism] = [hotp, totp]
    hotp.digits = 6
    totp.period = 30
    let _: [Int] = [hotp.digits, totp.period]
    let code: OathTokenCode = try hotp.generateCode()
    let _: OathTokenCode = try totp.generateCode()
    let _: [String?] = [hotp.toJson(), totp.toJson(), code.toJson()]
    let _: NSObject & Codable = code
    let _: [String] = [code.tokenType, code.code]
    let _: (TimeInterval, TimeInterval?, Bool, Float) = (code.start, code.until, code.isValid, code.progress)
}

func pushes(_ mechanism: PushMechanism, _ coder: NSCoder, _ encoder: Encoder, _ decoder: Decoder) throws {
    mechanism.notifications = []
    let _: [PushNotification] = mechanism.notifications + mechanism.pendingNotifications
    let _: String? = mechanism.toJson()

    guard let push = PushNotification(coder: coder) else { return }
    let _: NSObject & NSSecureCoding & Codable = push
    let _: [String] = [push.messageId, push.mechanismUUID, push.identifier]
    push.ttl = 120.0
    push.timeAdded = Date()
    let _: (Double, Date, Date) = (push.ttl, push.timeAdded, push.timeExpired)
    let _: [String?] = [
        push.customPayload, push.message, push.numbersChallenge, push.contextInfo, push.toJson(),
    ]
    let _: [PushType] = [push.pushType, .default, .challenge, .biometric]
    let _: [Bool] = [push.isPending, push.isExpired, push.isApproved, push.isDenied]
    let _: [Int]? = push.numbersChallengeArray
    let _: Bool = PushNotification.supportsSecureCoding
    push.encode(with: coder)
    try push.encode(to: encoder)
    let _: PushNotification = try PushNotification(from: decoder)
    let _: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void = push.accept(onSuccess:onError:)
    let _: (String, @escaping SuccessCallback, @escaping ErrorCallback) -> Void =
        push.accept(challengeResponse:onSuccess:onError:)
    let _: (String, Bool, @escaping SuccessCallback, @escaping ErrorCallback) -> Void =
        push.accept(title:allowDeviceCredentials:onSuccess:onError:)
    let _: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void = push.deny(onSuccess:onError:)
    let _: (Codable, String) = (PushType.default, PushType.default.rawValue)

    guard let token = PushDeviceToken(coder: coder) else { return }
    let _: NSObject & NSSecureCoding & Codable = token
    let _: (String, Date, Bool) = (token.tokenId, token.timeAdded, PushDeviceToken.supportsSecureCoding)
    token.encode(with: coder)
    try token.encode(to: encoder)
    let _: PushDeviceToken = try PushDeviceToken(from: decoder)
    let _: String? = token.toJson()
}

func policies(_ account: Account, _ uri: URL) throws {
    let biometric = FRAPolicyEvaluator.defaultPolicies[0] as? BiometricAvailablePolicy
    let _: (String?, Any?, Bool?) = (biometric?.name, biometric?.data, biometric?.evaluate())
    let tampering = FRAPolicyEvaluator.defaultPolicies[1] as? DeviceTamperingPolicy
    let _: (String?, Any?, Bool?) = (tampering?.name, tampering?.data, tampering?.evaluate())
    tampering?.name = "other"
    biometric?.name = "other"
    let _: Double = DeviceTamperingPolicy.defaultThresholdScore

    let evaluator = FRAPolicyEvaluator()
    let _: [FRAPolicy] = FRAPolicyEvaluator.defaultPolicies
    let _: [FRAPolicy]? = evaluator.policies
    let _: Int? = evaluator.policies?.count
    try evaluator.registerPolicies(policies: [BiometricAvailablePolicyOfApp()])
    try evaluator.registerPolicies(policies: [BiometricAvailablePolicyOfApp()], shouldOverride: false)
    let result: FRAPolicyEvaluator.Result = evaluator.evaluate(uri: uri)
    let _: (Bool, FRAPolicy?) = (result.comply, result.nonCompliancePolicy)
    let _: FRAPolicyEvaluator.Result = evaluator.evaluate(account: account)
    let _: Bool = evaluator.isPolicyAttached(account: account, policyName: "app")
}

func pushHandler(_ application: UIApplication, _ mechanism: PushMechanism, _ error: Error) {
    let handler: FRAPushHandler = FRAPushHandler.shared
    FRAPushHandler.shared = handler
    handler.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data())
    handler.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    let payload: [AnyHashable: Any] = [:]
    let _: PushNotification? = handler.application(application, didReceiveRemoteNotification: payload)
    let _: String? = handler.deviceToken
    handler.updateDeviceToken(mechanism: mechanism, deviceToken: "", onSuccess: {}, onFailure: { _ in })
    handler.updateDeviceToken(deviceToken: "", onSuccess: {}, onFailure: { _ in })
    handler.clearDeviceToken()
}

func storage(_ client: StorageClient) {
    let _: (String) -> Account? = client.getAccount(accountIdentifier:)
    let _: () -> [Account] = client.getAllAccounts
    let _: (Account) -> [Mechanism] = client.getMechanismsForAccount(account:)
    let _: (String) -> Mechanism? = client.getMechanismForUUID(uuid:)
    let _: (String) -> PushNotification? = client.getNotification(notificationIdentifier:)
    let _: (String) -> PushNotification? = client.getNotificationByMessageId(messageId:)
    let _: (Mechanism) -> [PushNotification] = client.getAllNotificationsForMechanism(mechanism:)
    let _: () -> [PushNotification] = client.getAllNotifications
    let _: () -> PushDeviceToken? = client.getPushDeviceToken
    let _: [(Account) -> Bool] = [client.setAccount(account:), client.removeAccount(account:)]
    let _: [(Mechanism) -> Bool] = [client.setMechanism(mechanism:), client.removeMechanism(mechanism:)]
    let _: [(PushNotification) -> Bool] = [
        client.setNotification(notification:), client.removeNotification(notification:),
    ]
    let _: (PushDeviceToken) -> Bool = client.setPushDeviceToken(pushDeviceToken:)
    let _: [() -> Bool] = [client.removePushDeviceToken, client.isEmpty]
}
