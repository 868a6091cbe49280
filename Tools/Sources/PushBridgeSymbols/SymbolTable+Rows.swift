extension SymbolTable {
    static let allSections = [
        Section(anchor: "symbols-client", titles: ["legacy", "new", "remark"], rows: clientRows),
        Section(anchor: "symbols-values", titles: ["legacy", "new", "remark"], rows: valuesRows),
        Section(anchor: "symbols-codes", titles: ["legacy", "new (`PingOath`)", "remark"], rows: codesRows),
        Section(anchor: "symbols-storage", titles: ["legacy", "new", "remark"], rows: storageRows),
        Section(anchor: "symbols-errors", titles: ["legacy error", "new error"], rows: errorsRows),
        Section(anchor: "symbols-shared", titles: ["legacy", "new", "remark"], rows: sharedRows),
    ]

    // The order of rows is that of the guide. A labelled name is one overload of several.
    static let clientRows: [SymbolRow] = [
        .init("FRAClient, FRAPushHandler", "`PushClient`", "the types; you keep the client", .rename),
        .init("FRAClient: start, shared", "`PushClient.createClient`", "async and throwing", .needsAwait),
        .init(
            "FRAClient: setStorage, setCredentialStore",
            "`PushConfiguration.storage`",
            "per client",
            .needsAwait
        ),
        .init(
            "FRAClient: setPolicyEvaluator",
            "`PushConfiguration.policyEvaluator`",
            "the same default as the legacy API",
            .needsAwait
        ),
        .init(
            "FRAClient: getAllAccounts",
            "`getCredentials()`",
            "one element per credential, oldest first; group by issuer and account name",
            .needsAwait
        ),
        .init("FRAClient: getAccount", "`getCredential(_:)`", "by the credential's id", .needsAwait),
        .init(
            "FRAClient: updateAccount",
            "`saveCredential(_:)`",
            "names and lock hold for all credentials of the account",
            .needsDecision
        ),
        .init(
            "FRAClient: removeAccount, removeMechanism",
            "`deleteCredential(_:)`",
            "per credential; its notifications go too",
            .needsDecision
        ),
        .init(
            "FRAClient: retryOwedRemovals, owedRemoval; ServerSessionCallback",
            "`retryOwedRemovals(unregister:)`, `PushCredential.owedRemoval`; `ServerSessionProvider`",
            "not in either SDK: removal at the server",
            .needsAwait
        ),
        .init(
            "FRAClient: lockAccount, unlockAccount",
            "`lockCredential(policyName:)`, `unlockCredential()`, then `saveCredential(_:)`",
            "nothing checks that the policy is attached",
            .needsDecision
        ),
        .init(
            "FRAClient: createMechanismFromUri; MechanismCallback",
            "`addCredentialFromUri(_:)`",
            "takes text; `pushauth` and `mfauth`",
            .needsDecision
        ),
        .init("FRAClient: getMechanism", "`getCredential(notification.credentialId)`", .needsAwait),
        .init(
            "FRAClient: getAllNotifications",
            "`getAllNotifications()`, `getPendingNotifications()`",
            "filter by `credentialId`",
            .needsAwait
        ),
        .init("FRAClient: getNotification", "`getNotification(_:)`", "by `id`", .needsAwait),
        .init(
            "FRAClient: removeNotification",
            "`cleanupNotifications(credentialId:)`",
            "by age or number; one by one through `PushStorage`",
            .needsDecision
        ),
        .init(
            "FRAClient: localAuthentication; LocalAuthenticating: isAvailable, authenticate; AuthenticationPrompt: init, title, allowsDeviceCredentials; LocalAuthenticationUnavailable: errorDescription",
            "your own call of `LAContext`",
            "not in the legacy SDK: for tests, and for platforms without it",
            .needsDecision
        ),
        .init(
            "FRAClient: migration, credentialStore; FRAMigration: mode, source, rollout, outcome, run, moveBack, init; Mode: inPlace, gated, atOnce; Outcome: notRun, inPlace, nothingToDo, done, later, failed, held; MigrationSource: storageClient",
            "`CredentialMigration`",
            "not in the legacy SDK: where the records are, and when they move",
            .rename
        ),
        .init("FRAPushHandler: init, shared", "`PushClient.createClient`", "async and throwing", .needsAwait),
        .init(
            "FRAPushHandler: application(_:didRegisterForRemoteNotificationsWithDeviceToken:)",
            "`setDeviceToken(_:)`",
            .needsAwait
        ),
        .init(
            "FRAPushHandler: application(_:didFailToRegisterForRemoteNotificationsWithError:)",
            "none",
            "a new token replaces the old one",
            .needsDecision
        ),
        .init(
            "FRAPushHandler: application(_:didReceiveRemoteNotification:)",
            "`processNotification(userInfo:)`",
            .needsDecision
        ),
        .init("FRAPushHandler: deviceToken", "`getDeviceToken()`", "lower case", .needsAwait),
        .init(
            "FRAPushHandler: updateDeviceToken",
            "`setDeviceToken(_:credentialId:)`",
            "waits for the servers",
            .needsDecision
        ),
        .init(
            "FRAPushHandler: tokenState, setUserId, tokenResync, providers, topic",
            "`tokenState(of:)`, `setUserId(_:credentialId:)`; of `PushConfiguration`: `tokenResync`, `providers`, `topic`",
            "not in either SDK",
            .needsAwait
        ),
        .init("FRAPushHandler: environment", "`PushConfiguration.environment`", "not in either SDK", .rename),
        .init(
            "FRAPushHandler: presentation, backgroundResult, perform, receive, badge, userNotificationCenter, scene",
            "`presentation(of:)`, `backgroundResult(of:deadline:)`, `perform(_:userInfo:text:)`, `receive(delivered:at:)`, `badge()`",
            "not in either SDK: see [delivery](delivery.md)",
            .needsAwait
        ),
        .init("FRAPushHandler: clearDeviceToken", "`PushStorage.clearPushDeviceTokens()`", .needsDecision),
        .init("UIApplication: shared", "none", "stands in where there is no UIKit", .stays),
        .init(
            "AccountCallback, AccountsCallback, SuccessCallback, ErrorCallback",
            "`async throws`",
            .needsAwait
        ),
    ]

    static let valuesRows: [SymbolRow] = [
        .init("PushNotification, PushType, PushDeviceToken", "the same, of `PingPush`", "the types", .stays),
        .init(
            "Account, PushMechanism",
            "`PushCredential`",
            "the types; an account is part of its credentials",
            .rename
        ),
        .init("OathMechanism, TOTPMechanism, HOTPMechanism", "`OathCredential`", "the types", .rename),
        .init(
            "Mechanism",
            "`PushCredential`, `OathCredential`",
            "the type, of which each kind has its own",
            .needsDecision
        ),
        .init(
            "PushNotification: accept(onSuccess:onError:), accept(challengeResponse:onSuccess:onError:), accept(title:allowDeviceCredentials:onSuccess:onError:)",
            "`approveNotification(_:)`, `approveChallengeNotification(_:challengeResponse:)`, `approveBiometricNotification(_:authenticationMethod:)`",
            "by id; your app asks the user",
            .needsDecision
        ),
        .init(
            "PushNotification: context",
            "the same",
            "`contextInfo`, typed; not in either SDK: see [delivery](delivery.md#where-a-login-comes-from)",
            .stays
        ),
        .init("PushNotification: deny", "`denyNotification(_:)`", "by id", .needsDecision),
        .init(
            "PushNotification: messageId, customPayload, contextInfo, numbersChallenge, pushType, isExpired",
            "the same",
            .stays
        ),
        .init("PushNotification: mechanismUUID", "`credentialId`", .rename),
        .init("PushNotification: message", "`messageText`", .rename),
        .init("PushNotification: ttl", "`ttl`", "whole seconds", .stays),
        .init("PushNotification: timeAdded, timeExpired", "`sentAt`, `expiresAt`", .rename),
        .init(
            "PushNotification: numbersChallengeArray",
            "`getNumbersChallenge()`",
            "empty instead of `nil`",
            .rename
        ),
        .init("PushNotification: identifier", "`id`", .rename),
        .init(
            "PushNotification: isPending, isApproved, isDenied",
            "`pending`, `approved`, `!pending && !approved`",
            .rename
        ),
        .init("PushType: default, challenge, biometric", "the same", .stays),
        .init(
            "Account: issuer, accountName, displayIssuer, displayAccountName, backgroundColor, policies, lockingPolicy",
            "the same, of the credential",
            .stays
        ),
        .init("Account: imageUrl, lock", "`imageURL`, `isLocked`", .rename),
        .init(
            "Account: lock(policy:), unlock",
            "`lockCredential(policyName:)`, `unlockCredential()`",
            "then `saveCredential(_:)`",
            .needsDecision
        ),
        .init("Account: timeAdded, identifier", "`createdAt`, `account.key`", .rename),
        .init(
            "Account: mechanisms",
            "`getCredentials()`",
            "accounts have no life of their own",
            .needsAwait
        ),
        .init(
            "Mechanism, PushMechanism: mechanismUUID, identifier, accountIdentifier",
            "`id`, `id`, `account.key`",
            .rename
        ),
        .init("Mechanism: type", "`PushCredential`, `OathCredential`", "a type each", .needsDecision),
        .init(
            "Mechanism: issuer, accountName, timeAdded, uid, resourceId",
            "`issuer`, `accountName`, `createdAt`, `userId`, `resourceId`",
            .rename
        ),
        .init(
            "PushMechanism: notifications, pendingNotifications",
            "`getAllNotifications()`, `getPendingNotifications()`",
            "filter by `credentialId`",
            .needsAwait
        ),
        .init("PushDeviceToken: tokenId, timeAdded", "`token`, `createdAt`", .rename),
        .init(
            "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification, PushDeviceToken, OathTokenCode: init, encode, supportsSecureCoding, toJson",
            "none",
            "values are stored by the store; `pushbridge export` writes the JSON",
            .needsDecision
        ),
    ]

    static let codesRows: [SymbolRow] = [
        .init("OathMechanism: digits, algorithm", "`OathCredential.digits`, `oathAlgorithm`", .rename),
        .init("TOTPMechanism: period; HOTPMechanism: counter", "the same, of `OathCredential`", .stays),
        .init("TOTPMechanism: generateCode", "`OathClient.generateCodeWithValidity(_:)`", .needsAwait),
        .init(
            "HOTPMechanism: generateCode",
            "`OathClient.generateCode(_:)`",
            "the counter is stored before the code is shown",
            .needsAwait
        ),
        .init("OathTokenCode", "`OathCodeInfo`", "the type", .rename),
        .init(
            "OathTokenCode: tokenType, code, start, until, isValid, progress",
            "`OathCodeInfo`: `code`, `timeRemaining`, `counter`, `progress`, `totalPeriod`",
            .rename
        ),
        .init("OathError: invalidSecret", "`OathError.codeGenerationFailed`", .rename),
    ]

    static let storageRows: [SymbolRow] = [
        .init(
            "StorageClient: setAccount, removeAccount, getAccount, getAllAccounts, setMechanism, removeMechanism, getMechanismsForAccount, getMechanismForUUID",
            "`PushStorage`: the methods of credentials",
            "most apps need none: `PushSQLiteStorage`, `PushKeychainStorage`",
            .needsDecision
        ),
        .init(
            "StorageClient: setNotification, removeNotification, getNotification, getNotificationByMessageId, getAllNotificationsForMechanism, getAllNotifications",
            "`PushStorage`: the methods of notifications",
            .needsDecision
        ),
        .init(
            "StorageClient: setPushDeviceToken, getPushDeviceToken, removePushDeviceToken, isEmpty",
            "`PushStorage`: the methods of the device token",
            .needsDecision
        ),
        .init(
            "FRAPolicy: name, data, evaluate",
            "`MfaPolicy`: `name`, `evaluate(data:)`",
            "async; parameters are handed over, not set",
            .needsAwait
        ),
        .init(
            "FRAPolicyEvaluator: init, policies, registerPolicies, defaultPolicies",
            "`MfaPolicyEvaluator(policies:)`",
            .rename
        ),
        .init(
            "FRAPolicyEvaluator: evaluate, isPolicyAttached, Result, comply, nonCompliancePolicy",
            "`evaluate(credentialPolicies:)`, `MfaPolicyResult`",
            "async",
            .needsAwait
        ),
        .init(
            "BiometricAvailablePolicy: init, name, data, evaluate",
            "`BiometricAvailablePolicy(isAvailable:)`",
            "`MfaPolicyEvaluator.standard` has the device's probe",
            .needsDecision
        ),
        .init(
            "DeviceTamperingPolicy: init, name, data, defaultThresholdScore, evaluate",
            "`DeviceTamperingPolicy(score:)`",
            "`FRJailbreakDetector.shared.analyze()` still gives the score; `MfaPolicyEvaluator.standard` asks it",
            .needsDecision
        ),
    ]

    static let errorsRows: [SymbolRow] = [
        .init(
            "MechanismError, AccountError, PushNotificationError, CryptoError, NotificationError, FRAError, NetworkError",
            "`PushError`",
            .rename
        ),
        .init("MechanismError: invalidQRCode, invalidType", "`PushError.invalidUri`", .rename),
        .init(
            "MechanismError: missingInformation",
            "`PushError.missingRequiredParameter`; of `s`, `c` or `m` `PushError.invalidUri`",
            .needsDecision
        ),
        .init(
            "MechanismError: invalidInformation",
            "`PushError.invalidParameterValue`; of an answer `PushError.invalidPushType`",
            .needsDecision
        ),
        .init("MechanismError: alreadyExists", "`PushError.duplicateCredential`", .rename),
        .init(
            "MechanismError: failedToUpdateInformation; FRAError: failToSaveIntoStorageClient",
            "`PushStorageError.storageFailure`",
            .rename
        ),
        .init("AccountError: accountLocked", "`PushError.credentialLocked`", .rename),
        .init("AccountError: failToRegisterPolicyViolation", "`PushError.policyViolation`", .rename),
        .init(
            "AccountError: failToLockMissingPolicyName, failToLockInvalidPolicy, failToLockAccountAlreadyLocked, failToUnlockAccountNotLocked",
            "none",
            .needsDecision
        ),
        .init("PushNotificationError: missingDeviceToken", "`PushError.deviceTokenNotSet`", .rename),
        .init("PushNotificationError: notificationInvalidStatus", "the answer `false`", .needsDecision),
        .init(
            "PushNotificationError: storageError",
            "`PushError.notificationNotFound`, `.credentialNotFound`; `PushStorageError.storageFailure`",
            .needsDecision
        ),
        .init("PushNotificationError: updateFailed", "`PushError.networkFailure`, the first", .needsDecision),
        .init(
            "PushNotificationError: pushNumberChallengeError",
            note: "(provisional: the name that release 4.10.0 of the SDK gives it is not known)",
            "`PushError.pushNumberChallengeError`",
            .rename
        ),
        .init("CryptoError: invalidParam, failToConvertData", "`PushError.invalidParameterValue`", .rename),
        .init(
            "CryptoError: invalidJWT, unsupportedJWTType; NotificationError: invalidPayload",
            "`PushError.messageParsingFailed`",
            .rename
        ),
        .init(
            "FRAError: invalidStateForChangingStorage, invalidStateForChangingPolicyEvaluator, invalidPolicyRegisteredWithPolicyEvaluator",
            "none: a client is configured when it is made",
            .needsDecision
        ),
        .init(
            "NetworkError: apiRequestFailure, invalidResponseDataType, invalidRequest",
            "`PushError.networkFailure`; of a refused registration `PushError.registrationFailed`",
            .needsDecision
        ),
        .init(
            "FRError, MechanismError, AccountError, PushNotificationError, CryptoError, NotificationError, FRAError, OathError, NetworkError, SecurityError: failToExtractPublicKey, buildErrorUserInfo, code, errorDomain, errorCode, errorUserInfo",
            "the case, and `localizedDescription`: there are no numbers",
            .needsDecision
        ),
    ]

    static let sharedRows: [SymbolRow] = [
        .init(
            "RequestInterceptorRegistry: init, shared, registerInterceptors; RequestInterceptor: intercept",
            "stays, or `PushConfiguration.transport`",
            "sees the requests of both APIs",
            .stays
        ),
        .init(
            "RestClient: shared, setURLSessionConfiguration; FRURLSessionHandler, FRURLSessionSSLPinningHandler: init, urlSession; FRURLSessionHandlerProtocol: urlSession; FRSecurityConfiguration: init, validateSessionAuthChallenge, validateTaskAuthChallenge",
            "stays",
            "pinning for both APIs",
            .stays
        ),
        .init(
            "RestClient: invoke, invokeSync; Response: init, data, response, error, parseReponse; Result: success, failure; ResultCallback",
            "`URLSession`",
            "for your own requests",
            .needsDecision
        ),
        .init(
            "Request: init, url, method, headers, bodyParams, urlParams, requestType, responseType, timeoutInterval, HTTPMethod, ContentType, GET, PUT, POST, DELETE, plainText, json, urlEncoded, updateHeader, build, description, customMirror",
            "stays, in interceptors",
            "a request never prints its values",
            .stays
        ),
        .init("Action: init, type, payload", "stays, in interceptors", .stays),
        .init(
            "ActionType: PUSH_REGISTER, PUSH_AUTHENTICATE, PUSH_UPDATE, LOGOUT",
            "stays, in interceptors",
            .stays
        ),
        .init(
            "ActionType: START_AUTHENTICATE, AUTHENTICATE, AUTHORIZE, EXCHANGE_TOKEN, REFRESH_TOKEN, REVOKE_TOKEN, END_SESSION, USER_INFO, RESUME_AUTHENTICATE, DELETE_BINDING",
            "none",
            "never sent by these APIs",
            .needsDecision
        ),
        .init(
            "FRJailbreakDetector: init, shared, detectors, analyze; JailbreakDetector, AptDetector, BashDetector, CydiaDetector, CydiaSubstrateDetector, DyldDetector, PrivateFileWritableDetector, RestrictedDirectoriesWritableDetector, SSHDetector, SandboxDetector, SandboxRestrictedFilesAccessable, SuspiciousFilesAccessibleDetector, SuspiciousFilesExistenceDetector, SuspiciousObjCClassesDetector, SymbolicLinkDetector, URLSchemeDetector: init, analyze",
            "stays",
            .stays
        ),
        .init(
            "KeychainService: init, options, debugDescription, set, getString, getBool, getData, setCertificate, getCertificate, getIdentities, setRSAKey, getRSAKey, allItems, delete, deleteAll, validateAccessGroup, getAppleTeamId; KeychainOptions: service, accessGroup, url, synchronizable, accessibility, matchLimit, init; KeychainAccessibility: alwaysThisDeviceOnly, afterFirstUnlock, afterFirstUnlockThisDeviceOnly, whenUnlocked, whenUnlockedThisDeviceOnly, whenPasscodeSetThisDeviceOnly, rawValue, description",
            "`Keychain`",
            "for your own items",
            .needsDecision
        ),
        .init(
            "SecuredKey: init, isAvailable, encrypt, decrypt; SecKeyAlgorithm: eciesEncryptionCofactorVariableIVX963SHA256AESGCM",
            "`SealingKeyProvider`",
            "for your own values",
            .needsDecision
        ),
        .init(
            "Data: bytesArray, sha256; Array: toHexString; String: bytes, sha256, isValidUrl, base64Encoded, base64URLSafeEncoded, base64Decoded, isBase64Encoded, decodeURL, decodeBase64, base64Pad, urlSafeDecoding, urlSafeEncoding, extractRecoveryCodes; StringProtocol: hexData, hexBytes; URL: isSame, valueOf",
            "Foundation",
            "helpers",
            .needsDecision
        ),
        .init(
            "Log, FRALog: sdkVersion, setLogLevel, setCustomLogger, v, i, w, e; FRHistory: queue, enableHistory, logHistory; FRLogger: logVerbose, logInfo, logNetwork, logWarning, logError",
            "`PushConfiguration.logger`",
            "a `PingLogger.Logger`; `SwiftLogLogger` hands on to swift-log",
            .stays
        ),
        .init(
            "LogLevel: init, rawValue, RawValue, hash, isEqual, formUnion, formIntersection, formSymmetricDifference, none, verbose, info, network, warning, error, all",
            "`LogManager.none`, `.warning`, `.standard`",
            "a logger instead of a level",
            .stays
        ),
    ]
}
