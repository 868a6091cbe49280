import Foundation
import PushBridgeCore
import PushBridgeInternals

extension Divergence {
    /// The divergences of pushes, answers and requests.
    static let ofPushes: [Divergence] = [
        Divergence(
            id: "refused-push",
            legacy: "For a refused push, the call returns `nil`, and the log contains the reason.",
            async:
                "For a refused push, the call throws `PushError.messageParsingFailed`. For a push from another sender, the call returns `nil`.",
            reason: "The app delegate's method cannot throw. Neither API stores such a push."
        ) { it in
            guard [.receive, .receiveAgain, .receiveRaw].contains(it.step.verb), let told = it.told else {
                return false
            }
            if case .receiveRaw(let payload) = it.step, !payload.carriesToken { return false }
            return it.isAt("calls.0.0.error") && told.legacy.error == nil && told.legacy.value == nil
                && told.async.error == "PushError.messageParsingFailed"
        },
        Divergence(
            id: "old-pushes-are-removed",
            legacy: "Notifications stay until the app removes them.",
            async:
                "When a push arrives, the client keeps the hundred newest pushes of the credential and removes the others; the configuration can set another rule.",
            reason:
                "Old apps show all earlier notifications; new apps configure which notifications the client keeps."
        ) { it in
            // The number of notifications that the async API stores by default.
            let kept = it.settings.keptNotifications ?? 100
            guard it.step.verb == .receive,
                case .object(let stored)? = it.async.store["notifications"]
            else { return false }
            let owner = it.legacyValue?["credentialId"]
            let own = stored.values.filter { $0["credentialId"] == owner }
            guard it.isAt("store.notifications.*"), it.asyncValue == nil, own.count == kept,
                case .number(let removed)? = it.legacyValue?["createdAt"]
            else { return false }
            return own.allSatisfy { $0.isCreated(after: removed) }
        },
        Divergence(
            id: "empty-number",
            legacy: "An empty challenge response is sent, and the server responds with an error.",
            async: "An empty challenge response throws `PushError.invalidParameterValue`, and is not sent.",
            reason: "The legacy API sends every value; the async API refuses values that are always invalid."
        ) { it in
            guard case .answer(let answer) = it.step, answer.with == .challenge, answer.number == "" else {
                return false
            }
            guard let told = it.told, told.legacy.error != nil else { return false }
            return told.async.error == "PushError.invalidParameterValue"
                && (answering(it) || it.isWithin("calls.0.0.error.*"))
        },
        Divergence(
            id: "deleted-push-is-answered",
            legacy: "An answer to a deleted push is checked, sent and stored like any other answer.",
            async: "An answer to a push that is not stored throws `PushError.notificationNotFound`.",
            reason:
                "Old call sites have the push object itself, as in the SDK; new call sites have only the push's id."
        ) { it in
            guard case .answer = it.step else { return false }
            if it.areTold("MechanismError.invalidInformation", "PushError.notificationNotFound") {
                return it.isWithin("calls.*.0.error.*")
            }
            return it.areTold(nil, "PushError.notificationNotFound")
                && (answering(it) || it.isAt("store.notifications.*"))
        },
        Divergence(
            id: "number-not-shown",
            legacy: "An approval with a number that the push does not show is stored as approved.",
            async: "An approval with a number that the push does not show is stored as denied, and logged.",
            reason:
                "Servers before AM 8.1.0 treat such a number as a denial and respond with 200; AM 8.1.0 rejects the number with 400. The legacy SDK stores the answer that was sent."
        ) { it in
            if it.step.verb == .list, it.standing.contains("number-not-shown") {
                // If a later step lists notifications, the list contains the stored push.
                return it.isAt("calls.0.0.value.*.approved") && it.values(true, false)
                    || it.isAt("calls.0.0.value.*.denied") && it.values(false, true)
            }
            guard case .answer(let answer) = it.step, answer.with == .challenge, let number = answer.number,
                it.isAt("store.notifications.*.approved"),
                case .string(let shown)? = it.legacy.store["notifications"]?[it.difference.path[2]]?[
                    "numbersChallenge"
                ]
            else { return false }
            let numbers = shown.split(separator: ",").map { Int($0.filter { $0 != " " }) }
            return !numbers.contains(Int(number)) && it.values(true, false)
        },
        Divergence(
            id: "answering-does-not-unlock",
            legacy:
                "An answer can lock an account if the device does not comply, but never unlocks an account. Only a read of the account unlocks it.",
            async: "An answer evaluates the policies, and locks or unlocks the account accordingly.",
            reason:
                "The app itself may have locked a legacy account; that lock holds until the account is read."
        ) { it in
            guard it.step.verb == .answer, it.knowsPolicies else { return false }
            if it.isAt("store.push.*.isLocked") { return it.values(true, false) }
            if it.isAt("store.push.*.lockingPolicy") { return it.asyncValue == nil }
            return it.areTold("AccountError.accountLocked", nil) && answering(it)
        },
        Divergence(
            id: "who-asks-for-the-face",
            legacy:
                "`accept(title:)` requests biometric authentication. If the authentication fails, the callback gets the error 6000003 with the system's message.",
            async: "The app itself requests biometric authentication, and makes the call only after success.",
            reason:
                "The new call has a parameter for the method of authentication; the legacy call has a parameter for the prompt."
        ) { it in
            guard case .answer(let answer) = it.step, answer.with == .biometric, let told = it.told else {
                return false
            }
            // If an earlier check of the legacy API fails, for example because the push has been answered, an
            // app that uses the legacy API gets the error of that check.
            return it.isWithin("calls.*.0") && told.legacy.error != nil && told.async.json["skipped"] != nil
        },
        Divergence(
            id: "locked-device",
            legacy:
                "While the device is locked, calls return empty lists, `nil` for a push or a token, and `false` for a removal. Calls that report errors fail with `storageError`.",
            async:
                "Every call that needs the store throws the storage's error with the code `locked`.",
            reason:
                "The legacy calls cannot report a locked store; the new calls distinguish a locked store from an empty store."
        ) { it in
            guard it.legacy.isDeviceLocked, it.async.isDeviceLocked, it.isWithin("calls.*.0"),
                let told = it.told, let error = told.async.error
            else { return false }
            let silence: [JSONValue?] = [nil, .array([]), .bool(false)]
            let isSilent = told.legacy.error == nil && silence.contains(told.legacy.value)
            return ["PushStorageError.storageFailure", "OathStorageError.accessDenied"].contains(error)
                && (isSilent || told.legacy.error == "PushNotificationError.storageError")
        },
        Divergence(
            id: "time-out",
            legacy: "A request may take 60 seconds.",
            async: "A request may take 15 seconds, or the time-out in the configuration.",
            reason: "Each API keeps the time-out that its apps were written for."
        ) { it in
            it.isAt("timeouts.*") && it.values(.number(60), .number(15))
        },
    ]

    /// Returns whether only one of the sides has an answer.
    static func answering(_ it: Observation) -> Bool {
        it.isAt("calls.0.0.error", "calls.0.0.value", "requests.0", "timeouts.0", "server.pushes.*")
            || it.isAt("store.notifications.*.pending", "store.notifications.*.approved")
            || it.isAt("store.notifications.*.respondedAt")
    }
}

extension JSONValue {
    /// Returns whether a stored notification was received after this date.
    fileprivate func isCreated(after date: Double) -> Bool {
        if case .number(let created)? = self["createdAt"] { created > date } else { false }
    }
}

extension JSONValue {
    /// Whether the payload contains a token, as PingAM's pushes do.
    ///
    /// The APIs treat other payloads as foreign.
    fileprivate var carriesToken: Bool {
        guard case .string? = self["aps"]?["messageId"], case .string(let token)? = self["aps"]?["data"],
            token.count(where: { $0 == "." }) == 2,
            let header = token.split(separator: ".").first.flatMap({ Data(anyBase64: String($0)) }),
            case .object? = JSONValue(json: header)
        else { return false }
        return true
    }
}
