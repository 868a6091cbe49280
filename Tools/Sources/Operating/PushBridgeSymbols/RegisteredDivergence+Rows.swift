// Never change the id of a row. A new row between the APIs also needs the condition that recognises the
// divergence, in `PushParity/Comparing`, and a scenario that shows the divergence, in `PushParity/Catalogue`.
// `RegisterTests.parityExplainsExactlyTheRegisteredDivergences` fails if a row has no condition.
// `CatalogueTests.theCatalogueShowsExactlyTheRegisteredDivergences` fails if a row has no scenario, or if a
// difference has no row.

extension RegisteredDivergence {
    /// The divergences between the two APIs, which call sites encounter in step 3 of MIGRATION.md.
    static let betweenAPIs: [RegisteredDivergence] = [
        .init(
            "one-push-per-account",
            legacy:
                "An account has one push mechanism. Another code for the account is refused before a request is sent, even if the code has another secret.",
            here:
                "A code is refused if a stored credential has the same issuer, account and secret. A code with another secret creates another credential.",
            why:
                "The legacy store identifies mechanisms by account; the new store contains every credential that the server registered.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "policies-of-a-code",
            legacy:
                "The policies of a `pushauth` or `otpauth` code are evaluated when the app reads the account. Only an `mfauth` code is refused if the device does not comply.",
            here:
                "A code is refused with `PushError.policyViolation` or `OathError.policyViolation` if the device does not comply.",
            why:
                "Old call sites enrol and then see a locked account; new call sites get the error at once.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "code-is-a-url",
            legacy: "A code is a `URL`, which the app makes; text that is not a URL never reaches the API.",
            here: "A code is text; text that is not a code throws `PushError.invalidUri`.",
            why: "The type of the parameter is part of each API.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "account-outlives-mechanism",
            legacy: "After the removal of its last mechanism, an account stays stored and keeps its date.",
            here:
                "Each credential contains the data of its account, so the account is removed with its last credential.",
            why: "Only the legacy model has accounts without mechanisms.",
            metBy: "FRAClient: removeMechanism"
        ),
        .init(
            "locks-are-checked",
            legacy:
                "A call of `FRAClient` fails with an `AccountError` if it locks a locked account, unlocks an unlocked account, locks by a policy that the account does not have, or changes a locked account.",
            here:
                "A credential is a value: the app can set and save any lock, and can change the names of a locked credential. If the device does not comply with the policies, a credential is saved as locked; the legacy API locks the account when the app reads it.",
            why: "The contract of the legacy API requires the `AccountError`.",
            metBy: "FRAClient: lockAccount, unlockAccount, updateAccount; Account: lock(policy:), unlock"
        ),
        .init(
            "client-can-be-closed",
            legacy: "`FRAClient.shared` stays until the app sets it to `nil`.",
            here:
                "`close()` ends the client; later calls throw `PushError.notInitialized` (`PushClient`) or `OathError.initializationFailed` (`OathClient`).",
            why: "Old call sites never close the client; new call sites can close it.",
            metBy: "FRAClient: shared"
        ),
        .init(
            "explicit-update-sends-to-all",
            legacy:
                "`updateDeviceToken` sends the token to every server, even if the server has the token or refused it recently.",
            here:
                "`setDeviceToken` sends the token to the servers that do not have the token and did not refuse it recently.",
            why:
                "Old call sites ask for an update explicitly; new call sites set the token at every launch.",
            metBy: "FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "update-without-mechanism",
            legacy:
                "`updateDeviceToken` without a push mechanism fails with `PushNotificationError.storageError`; the token is stored.",
            here: "`setDeviceToken` without a credential stores the token and returns `true`.",
            why:
                "The legacy API's contract requires the error; for a new app, a missing credential is not a failure.",
            metBy: "FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "empty-token",
            legacy:
                "An empty token is stored and sent like any other token; the server refuses it.",
            here: "An empty token throws `PushError.invalidParameterValue`, and is neither stored nor sent.",
            why: "The legacy API sends every value; the async API refuses values that are always invalid.",
            metBy: "FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "token-can-be-forgotten",
            legacy: "`clearDeviceToken` deletes the token.",
            here:
                "`PushClient` has no method that only deletes the token; `clearPushDeviceTokens()` of `PushStorage` deletes it.",
            why:
                "The legacy API deletes the token after each failure that UIKit reports. `didFailToRegister(_:)` of the async API deletes the token only if the app cannot get a token.",
            metBy:
                "FRAPushHandler: clearDeviceToken, application(_:didFailToRegisterForRemoteNotificationsWithError:)"
        ),
        .init(
            "refused-push",
            legacy: "For a refused push, the call returns `nil`, and the log contains the reason.",
            here:
                "For a refused push, the call throws `PushError.messageParsingFailed`. For a push from another sender, the call returns `nil`.",
            why: "The app delegate's method cannot throw. Neither API stores a refused push.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "old-pushes-are-removed",
            legacy: "Notifications stay until the app removes them.",
            here:
                "When a push arrives, the client keeps the hundred newest pushes of the credential and removes the others; the configuration can set another rule.",
            why:
                "Old apps show all earlier notifications; new apps configure which notifications the client keeps.",
            metBy:
                "FRAPushHandler: application(_:didReceiveRemoteNotification:); FRAClient: getAllNotifications; PushMechanism: notifications"
        ),
        .init(
            "deleted-push-is-answered",
            legacy: "An answer to a deleted push is checked, sent and stored like any other answer.",
            here: "An answer to a push that is not stored throws `PushError.notificationNotFound`.",
            why:
                "Old call sites have the push object itself, as in the SDK; new call sites have only the push's id.",
            metBy: "PushNotification: accept, deny"
        ),
        .init(
            "empty-number",
            legacy: "An empty challenge response is sent, and the server responds with an error.",
            here: "An empty challenge response throws `PushError.invalidParameterValue`, and is not sent.",
            why: "The legacy API sends every value; the async API refuses values that are always invalid.",
            metBy: "PushNotification: accept(challengeResponse:onSuccess:onError:)"
        ),
        .init(
            "number-not-shown",
            legacy:
                "If the server accepts an approval with a number that the push does not show, the push is stored as approved.",
            here:
                "If the server accepts an approval with a number that the push does not show, the push is stored as denied, and a warning is logged.",
            why:
                "Servers before AM 8.1.0 treat a number that was not shown as a denial and respond with 200; AM 8.1.0 rejects the number with 400. The legacy SDK stores the answer that was sent.",
            metBy: "PushNotification: accept(challengeResponse:onSuccess:onError:)"
        ),
        .init(
            "answering-does-not-unlock",
            legacy:
                "An answer locks the account if the device does not comply, but never unlocks it. If the device complies again, the next read unlocks the account.",
            here: "An answer evaluates the policies, and locks or unlocks the account accordingly.",
            why:
                "In the legacy API, the app itself can lock an account (`lockAccount`); an answer must not undo this lock.",
            metBy: "PushNotification: accept, deny"
        ),
        .init(
            "time-out",
            legacy: "A request may take 60 seconds.",
            here: "A request may take 15 seconds, or the time-out in the configuration.",
            why: "Each API keeps the time-out that its apps were written for.",
            metBy:
                "FRAClient: createMechanismFromUri; PushNotification: accept, deny; FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "who-asks-for-the-face",
            legacy:
                "`accept(title:)` requests biometric authentication. If the authentication fails, the callback gets the error 6000003 with the system's message.",
            here:
                "The app itself requests biometric authentication, and calls `approveBiometricNotification` only after success.",
            why:
                "The new call has a parameter for the method of authentication; the legacy call has a parameter for the prompt.",
            metBy: "PushNotification: accept(title:allowDeviceCredentials:onSuccess:onError:)"
        ),
        .init(
            "locked-device",
            legacy:
                "While the device is locked, calls return empty lists, `nil` for a single object or the token, and `false` for a removal. Calls that report errors fail with an error of the storage, such as `PushNotificationError.storageError`.",
            here:
                "Every call that needs the store throws: `PushClient` throws `PushStorageError.storageFailure` with a `StoreError` of the code `locked`, and `OathClient` throws `OathStorageError.accessDenied`.",
            why:
                "Legacy calls that report no errors cannot report a locked store. An error of the async API distinguishes a locked store from an empty store.",
            metBy:
                "FRAClient: getAllAccounts, getAccount, getMechanism, getAllNotifications, getNotification, removeAccount, removeMechanism, removeNotification; FRAPushHandler: application(_:didReceiveRemoteNotification:), deviceToken"
        ),
    ]

    /// The divergences from the SDK, which call sites encounter in steps 1 and 2 of MIGRATION.md.
    static let fromSDK: [RegisteredDivergence] = [
        .init(
            "unknown-lock-stays",
            legacy:
                "An account may be locked by a policy that the evaluator does not have, or that is not one of the account's policies. The next read unlocks the account.",
            here: "The account stays locked until the app unlocks it (`unlockAccount`).",
            why: "The API cannot determine whether the device complies with an unknown or detached policy.",
            metBy:
                "FRAClient: getAllAccounts, getAccount, setPolicyEvaluator; FRAPolicyEvaluator: registerPolicies"
        ),
        .init(
            "removal-is-complete",
            legacy:
                "If the app passes a decoded account to `removeAccount`, the account's mechanisms are not removed.",
            here: "The mechanisms and their notifications are removed with the account.",
            why: "A secret without an account would stay on the device for ever.",
            metBy: "FRAClient: removeAccount"
        ),
        .init(
            "unreadable-policies",
            legacy:
                "A code whose `policies` cannot be read, or are not a JSON object, enrols an account without policies.",
            here: "A code with unreadable policies is refused with `invalidInformation`.",
            why: "An ignored policy would weaken the account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "numbers-are-numbers",
            legacy:
                "If `digits`, `counter` or `period` of a code is not a number, the mechanism gets the default value.",
            here: "A code with an invalid number is refused with `invalidInformation`.",
            why: "Wrong one-time passwords would lock out the user, and no error would explain the cause.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "deceptive-codes",
            legacy:
                "A code is accepted even if its label contains control or bidirectional characters, `..` or markup, or if its secret has more than 1,024 characters.",
            here:
                "A code with a deceptive label or an overlong secret is refused with `invalidInformation`, or with `CryptoError` for the secret of a push code.",
            why:
                "A deceptive label can imitate another account; the successor SDK also refuses it.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "md5-code",
            legacy:
                "If the truncation offset is greater than 12, the SDK reads past the end of the 16-byte MD5 digest.",
            here:
                "`generateCode` fails with `OathError.invalidSecret`; with the next counter, `generateCode` can succeed.",
            why: "RFC 4226 defines no one-time password for an offset near the end of an MD5 digest.",
            metBy: "TOTPMechanism, HOTPMechanism: generateCode"
        ),
        .init(
            "name-with-colon",
            legacy: "For the label `Forgerock:demo:1`, the account name is `demo`.",
            here:
                "The account name is `demo:1`. If the SDK stored the account as `demo`, another scan of the same code is refused, as for every stored account.",
            why: "Otherwise the users `demo:1` and `demo:2` would share one account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "combined-is-one",
            legacy:
                "A failed enrolment can leave one of the two mechanisms of an `mfauth` code in the store. Each later scan of the code then fails.",
            here: "Either both mechanisms are stored or neither is, and a later scan of the code succeeds.",
            why: "Half of a registration would block every further scan of its code.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "redirect-is-failure",
            legacy:
                "For a registration, an answer or a token update, the statuses 300 to 302 count as success.",
            here: "Only the statuses 200 to 299 count as success.",
            why: "The redirect is not followed, so the server has not accepted the request.",
            metBy:
                "FRAClient: createMechanismFromUri; PushNotification: accept, deny; FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "forged-repetition",
            legacy:
                "For a push with a known message id and a wrong signature, the call returns the stored push.",
            here:
                "For a push with a wrong signature, the call always returns `nil`.",
            why: "Only the server may make the app show a push.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "cookie-and-denial",
            legacy:
                "The load balancer's cookie is sent in the header `Set-Cookie`. The denial of a challenge contains `challengeResponse: null`.",
            here:
                "The load balancer's cookie is sent in the header `Cookie`. A denial contains no `challengeResponse`.",
            why: "The load balancer and some servers require this form.",
            metBy: "PushNotification: accept, deny"
        ),
        .init(
            "gone-stays-gone",
            legacy:
                "`lockAccount` and `unlockAccount` store a removed account again. If an HOTP mechanism was removed, generating a code stores it again.",
            here:
                "If the account is not stored, `lockAccount` and `unlockAccount` fail with `FRAError.failToSaveIntoStorageClient`. "
                + "If an HOTP mechanism was removed, generating a code fails with `MechanismError.failedToUpdateInformation`, except in an app's own `StorageClient`.",
            why: "A removed account must not return without its mechanisms.",
            metBy: "FRAClient: lockAccount, unlockAccount"
        ),
        .init(
            "token-of-own-storage",
            legacy: "An app's own `StorageClient` gets a new device token when the token arrives.",
            here:
                "The storage gets the new token when every server has accepted the token. `FRAPushHandler.deviceToken` returns the new token at once.",
            why:
                "The storage cannot store which servers still lack the token. While the storage contains the old token, the new token is sent to the servers again after a restart.",
            metBy: "FRAClient: setStorage; StorageClient: setPushDeviceToken"
        ),
        .init(
            "handlers-are-not-sendable",
            legacy: "`FRURLSessionHandlerProtocol` refines `URLSessionTaskDelegate`.",
            here:
                "`FRURLSessionHandlerProtocol` has the SDK's methods, but refines `NSObjectProtocol`. The handler's other methods of `URLSessionTaskDelegate` are not called.",
            why:
                "Foundation's protocol is `Sendable`, so handlers with state cause warnings, and errors in Swift 6.",
            metBy: "FRURLSessionHandler, FRURLSessionHandlerProtocol, FRURLSessionSSLPinningHandler",
            only: .conformance
        ),
        .init(
            "objects-are-sendable",
            legacy:
                "Accounts, mechanisms, notifications and the client are not `Sendable`; apps in Swift 6 declare the conformance themselves.",
            here:
                "The API's objects are `Sendable`, so the compiler warns about the app's own conformance. Remove this conformance.",
            why: "The API's objects are safe to use from any thread.",
            metBy:
                "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification, FRAClient",
            only: .`extension`
        ),
        .init(
            "refused-enrolment",
            legacy:
                "If a `StorageClient` refuses an enrolment that the server accepted, the enrolment fails with the error 8000001.",
            here:
                "The enrolment succeeds, and PushBridge keeps the credential in the keychain until the storage accepts it. The error 8000001 occurs only if the keychain fails too. The next process stores the credential in its `StorageClient` only if this is probably the storage that refused the enrolment: it must contain a push credential that the refusing storage contained before the enrolment, or no push credential if the refusing storage contained none. So two storages without push credentials count as the same storage, even if their classes differ.",
            why: "Otherwise the server would have a device without an account on the phone.",
            metBy: "StorageClient: setMechanism, setAccount"
        ),
        .init(
            "storages-get-copies",
            legacy:
                "`FRAClient` returns the objects of a `StorageClient`. If the storage keeps its objects in memory, each change of a returned object also changes the storage's object.",
            here:
                "`FRAClient` returns copies, and the storage receives each change as a new object. After the storage has accepted the change, PushBridge also changes the storage's earlier objects: the names and the lock of an account, the counter of an HOTP mechanism, and the answer of a push.",
            why:
                "A change that the storage rejected, or that the app did not store, must not appear in the storage.",
            metBy: "StorageClient: setNotification, setMechanism, setAccount"
        ),
        .init(
            "no-calls-from-inside",
            legacy: "A `StorageClient` may call `FRAClient` from its methods.",
            here:
                "If a method of a `StorageClient` calls `FRAClient`, the call fails, and the log contains the reason.",
            why:
                "Calls from a method of the storage could recurse without end, and would read an incomplete change.",
            metBy: "StorageClient",
            only: .conformance
        ),
        .init(
            "body-is-not-read",
            legacy: "A request to the push service fails if the body of the response is not JSON.",
            here: "Only the status of the response determines the result.",
            why: "If the status is a success, the server has executed the request.",
            metBy:
                "FRAClient: createMechanismFromUri; PushNotification: accept, deny; FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "no-cookie-jar",
            legacy: "Requests use the cookies and the cache of the app's `URLSessionConfiguration`.",
            here: "Cookies, cache and stored credentials are disabled.",
            why: "A stored cookie would override the load balancer's cookie.",
            metBy: "RestClient: setURLSessionConfiguration"
        ),
        .init(
            "time-out-is-bounded",
            legacy: "An interceptor can set any time-out.",
            here: "An interceptor can at most double the time-out of a push request.",
            why: "A second answer must not be sent while the request of the first answer is running.",
            metBy: "Request: init, timeoutInterval; RequestInterceptor: intercept"
        ),
        .init(
            "open-before-unlock",
            legacy: "`alwaysThisDeviceOnly` stores items that are readable before the first unlock.",
            here: "`alwaysThisDeviceOnly` stores items as `afterFirstUnlockThisDeviceOnly`.",
            why: "Apple deprecated access before the first unlock.",
            metBy: "KeychainAccessibility: alwaysThisDeviceOnly"
        ),
        .init(
            "null-is-absent",
            legacy:
                "An object without a load balancer cannot be decoded from its own JSON.",
            here: "An object without a load balancer can be decoded.",
            why:
                "A decoder must read what its encoder wrote.",
            metBy:
                "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification: init(from:)"
        ),
        .init(
            "unusual-codes",
            legacy:
                "A code for one-time passwords without a label and without an issuer is refused with `missingInformation`.",
            here:
                "A code without label and issuer enrols an account with the name and the issuer `Untitled`.",
            why:
                "Without a label and an issuer, a code still contains all values from which one-time passwords are computed.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "plain-policies",
            legacy:
                "A code whose `policies` are plain JSON instead of base64 enrols an account without policies.",
            here: "The account gets the policies in the plain JSON.",
            why: "An ignored policy would weaken the account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "unreadable-parameters",
            legacy: "A code with an empty `issuer` enrols an account whose issuer is the account's name.",
            here: "An empty `issuer` is ignored; the label names the issuer.",
            why: "An empty `issuer` must not replace the label's issuer with another name.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "image-that-is-no-address",
            legacy:
                "In a `pushauth` or `mfauth` code, an `image` that is neither base64 nor an address is shown as the account's `imageUrl`.",
            here:
                "In a `pushauth` or `mfauth` code, an `image` that is neither base64 nor an address is ignored.",
            why: "An app loads the account's image from the address in `image`.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "cookie-without-a-name",
            legacy:
                "If the load balancer's cookie (`l`) of a code or a push contains no `=`, the cookie is sent nevertheless.",
            here: "A cookie without `=` is ignored.",
            why: "Servers cannot read a cookie without a name.",
            metBy:
                "FRAClient: createMechanismFromUri; FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "another-code-keeps",
            legacy:
                "Another code of an account replaces the account's names, policies, image and colour, and removes the values that the code does not contain.",
            here:
                "The account keeps its names. Policies, image and colour are replaced only if the new code contains them.",
            why: "A code without a policy must not remove the policy from the account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "bare-push",
            legacy: "A push without `l` or `t` is refused: the call returns `nil`.",
            here:
                "A push without `l` or `t` is accepted. Without `t`, the push's time to live is 120 seconds.",
            why:
                "The server signed the push, and the user can answer the push without `l` and `t`.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "time-to-live-in-another-form",
            legacy: "A time to live of `120.5`, `-1` or `1e3` is the time to live of the push.",
            here:
                "Only a whole number of seconds from 0 to 2,147,483,647 is used as the time to live. Otherwise, the time to live is 120 seconds.",
            why:
                "Servers send whole numbers only, and the user can answer a push without a time to live.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "claims-of-other-types",
            legacy:
                "A push whose `l` or `t` is not text is refused. Other optional claims that are not text are ignored.",
            here:
                "An optional claim that is not text is ignored. Exceptions are a whole number in `t`, a number in `i`, and an object in `p` or `x`, which are used.",
            why:
                "The server signed the claims, so a claim of another type is no attack; the user can answer the push without it.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "type-in-capitals",
            legacy:
                "A push whose type contains capitals, such as `Challenge`, is of the type `default` and shows no numbers.",
            here:
                "The type is read without regard to capitals, so a push of the type `Challenge` shows its numbers.",
            why: "The user must choose a number to approve a challenge.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "challenge-that-is-not-base64",
            legacy: "A push whose challenge is not base64 is stored, but each answer fails.",
            here: "A push whose challenge is not base64 is refused: the call returns `nil`.",
            why: "The app would show a push whose answers all fail.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "json-of-other-types",
            legacy:
                "If `message`, `customPayload`, `numbersChallenge` or `contextInfo` in the JSON of a push is not text, the property is `nil`.",
            here:
                "JSON of a push is not decoded if one of these members is neither text nor `null`.",
            why: "A push without its numbers or its context would mislead the user.",
            metBy: "PushNotification: init(from:)"
        ),
        .init(
            "json-of-unknown-type",
            legacy:
                "JSON of a one-time-password mechanism with an unknown `type` is decoded if `oathType` is known.",
            here: "JSON of a mechanism with an unknown `type` is not decoded.",
            why: "The kind of the mechanism is not known.",
            metBy: "Mechanism, OathMechanism, TOTPMechanism, HOTPMechanism: init(from:)"
        ),
        .init(
            "json-of-unknown-algorithm",
            legacy: "JSON of a one-time-password mechanism with an unknown `algorithm` is not decoded.",
            here: "The mechanism is decoded, but generates no one-time passwords.",
            why:
                "The app can still show and remove the mechanism; a default algorithm would generate wrong one-time passwords.",
            metBy: "OathMechanism, TOTPMechanism, HOTPMechanism: init(from:)"
        ),
        .init(
            "json-of-nameless-lock",
            legacy: "An account that is locked, but has no locking policy, can answer pushes.",
            here:
                "An account that is locked, but has no locking policy, cannot answer pushes: a lock requires no policy.",
            why: "A lock must hold even if its reason is not known.",
            metBy: "Account: init(from:)"
        ),
        .init(
            "refused-number",
            legacy:
                "HTTP 400 in response to the number of a challenge causes `NetworkError.apiRequestFailure`.",
            here:
                "For a stored push that has not expired, HTTP 400 in response to the number of a challenge causes `PushNotificationError.pushNumberChallengeError`. For an expired push, a push that is not stored, other statuses and other answers, the error is the SDK's.",
            why:
                "AM 8.1.0 refuses a wrong number with 400, and the user can choose again; earlier versions accept any number, and deny the login if it is wrong. Only the phone knows whether the push is still pending, because the server sends the same text with every 400. Even for a pending push, a 400 does not prove that the number was wrong: the server may have lost the push, or the phone may have missed the response to an earlier answer.",
            metBy: "PushNotification: accept(challengeResponse:onSuccess:onError:)"
        ),
        .init(
            "locked-without-account",
            legacy: "A mechanism whose account cannot be read has no policies and is not locked.",
            here:
                "A mechanism whose account cannot be read is locked under the policy `unreadableAccountRecord` until the app unlocks the account or the account can be read. If a migration adds such a mechanism to an account, the account gets the same lock.",
            why: "The unreadable account may have been locked.",
            metBy: "FRAClient: getAllAccounts"
        ),
        .init(
            "request-spelling",
            legacy: "In `Request.build()`, `urlParams` replace the query of the address.",
            here: "`urlParams` are added to the query of the address.",
            why: "A request is sent as the app's interceptor wrote it.",
            metBy: "Request: build"
        ),
        .init(
            "request-headers",
            legacy: "In `Request.build()`, the SDK's `x-requested-*` headers replace the app's headers.",
            here: "The app's headers take precedence over the `x-requested-*` headers.",
            why: "A request is sent as the app's interceptor wrote it.",
            metBy: "Request: build"
        ),
        .init(
            "request-bodies",
            legacy: "In `Request.build()`, `DELETE` requests and requests with plain text have no body.",
            here: "`DELETE` requests and requests with plain text have the body that the app set.",
            why: "A request is sent as the app's interceptor wrote it.",
            metBy: "Request: build"
        ),
        .init(
            "request-forms",
            legacy: "In `Request.build()`, the names and values of a form are not escaped.",
            here: "Names and values are escaped (RFC 3986).",
            why: "Without escaping, a value with `&` or `=` would change the form.",
            metBy: "Request: build"
        ),
        .init(
            "request-order",
            legacy:
                "In `Request.build()`, parameters are in the order of a dictionary, which differs in each process.",
            here: "Parameters are in alphabetical order.",
            why: "Equal requests have equal bytes.",
            metBy: "Request: build"
        ),
        .init(
            "request-empty-body",
            legacy: "In `Request.build()`, a `POST` or `PUT` of JSON without parameters has no body.",
            here: "A `POST` or `PUT` of JSON without parameters has the body `{}`.",
            why: "The header `Content-Type` announces JSON.",
            metBy: "Request: build"
        ),
        .init(
            "refused-authentication",
            legacy:
                "The error of a refused local authentication is `MechanismError.invalidInformation` (6000003) with only a message, and no underlying error.",
            here:
                "The error is `MechanismError.invalidInformation`, too, but its `userInfo` contains the system's error under `NSUnderlyingErrorKey`.",
            why:
                "The app can distinguish a cancelled authentication from a failed one.",
            metBy: "PushNotification: accept(title:allowDeviceCredentials:onSuccess:onError:)"
        ),
    ]
}
