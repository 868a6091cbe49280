import Foundation
import PushBridgeCore
import PushBridgeInternals

extension Divergence {
    /// The divergences of pushes, answers and requests.
    static let ofPushes: [Divergence] = [
        Divergence(registered: "refused-push") { it in
            guard [.receive, .receiveAgain, .receiveRaw].contains(it.step.verb), let results = it.results
            else { return false }
            if case .receiveRaw(let payload) = it.step, !payload.carriesToken { return false }
            return it.isAt("calls.0.0.error") && results.legacy.error == nil && results.legacy.value == nil
                && results.async.error == "PushError.messageParsingFailed"
        },
        Divergence(registered: "old-pushes-are-removed") { it in
            // By default, the async API keeps the newest 100 notifications of each credential.
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
        Divergence(registered: "empty-number") { it in
            guard case .answer(let answer) = it.step, answer.with == .challenge, answer.number == "" else {
                return false
            }
            guard let results = it.results, results.legacy.error != nil else { return false }
            return results.async.error == "PushError.invalidParameterValue"
                && (answering(it) || it.isWithin("calls.0.0.error.*"))
        },
        Divergence(registered: "deleted-push-is-answered") { it in
            guard case .answer = it.step else { return false }
            if it.hasErrors("MechanismError.invalidInformation", "PushError.notificationNotFound") {
                return it.isWithin("calls.*.0.error.*")
            }
            return it.hasErrors(nil, "PushError.notificationNotFound")
                && (answering(it) || it.isAt("store.notifications.*"))
        },
        Divergence(registered: "number-not-shown") { it in
            if it.step.verb == .list, it.standing.contains("number-not-shown") {
                // A later list of notifications shows the same difference in the stored push.
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
        Divergence(registered: "answering-does-not-unlock") { it in
            guard it.step.verb == .answer, it.evaluatesPolicies else { return false }
            if it.isAt("store.push.*.isLocked") { return it.values(true, false) }
            if it.isAt("store.push.*.lockingPolicy") { return it.asyncValue == nil }
            return it.hasErrors("AccountError.accountLocked", nil) && answering(it)
        },
        Divergence(registered: "who-asks-for-the-face") { it in
            guard case .answer(let answer) = it.step, answer.with == .biometric, let results = it.results
            else { return false }
            // The legacy API checks the push before it authenticates the user. If the check fails, for example
            // because the push has been answered, the app gets the check's error.
            return it.isWithin("calls.*.0") && results.legacy.error != nil
                && results.async.json["skipped"] != nil
        },
        Divergence(registered: "locked-device") { it in
            guard it.legacy.isDeviceLocked, it.async.isDeviceLocked, it.isWithin("calls.*.0"),
                let results = it.results, let error = results.async.error
            else { return false }
            let silence: [JSONValue?] = [nil, .array([]), .bool(false)]
            let isSilent = results.legacy.error == nil && silence.contains(results.legacy.value)
            return ["PushStorageError.storageFailure", "OathStorageError.accessDenied"].contains(error)
                && (isSilent || results.legacy.error == "PushNotificationError.storageError")
        },
        Divergence(registered: "time-out") { it in
            it.isAt("timeouts.*") && it.values(.number(60), .number(15))
        },
    ]

    /// Returns whether the difference can result from an answer that only one side sent.
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
    /// Whether the payload contains a message id and a JSON Web Token, as PingAM's pushes do.
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
