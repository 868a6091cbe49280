import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals

extension Conformance {
    /// The seconds after which a login page has certainly polled.
    ///
    /// Pages poll at least every five seconds.
    static let pageInterval = 6

    /// Answers pushes, correctly and with different mistakes.
    ///
    /// The most informative answers come first, because a user who starts the logins by hand may stop early.
    mutating func answerPushes(to device: inout EnrolledDevice, from supply: any PushSupply) async throws {
        guard let first = try await next(.default, for: device, from: supply) else {
            return untried.append("No push for the new device arrived, so no answer was sent.")
        }
        let late = try await latePush(device, supply)
        let isApproved = try await approve(first, device, supply)
        device.hasLoggedIn = isApproved
        if first.isTyped {
            try await answerChallenges(device, supply)
        } else {
            untried.append("Challenges need pushes with a type; this server sends pushes without a type.")
            settled.insert(.challenge)
        }
        try await withPush(.default, "a denial", device, supply) { conformance, push in
            try await conformance.ask(.denial, device.answer(to: push, ["deny": true]))
            try await conformance.seeLogin(push, "denied", after: "a denial", supply)
        }
        if !supply.seesLogins {
            untried.append("Login pages can be observed only at the simulator (--control).")
        } else {
            try await withPush(.default, "a value of deny", device, supply) { conformance, push in
                _ = try await conformance.environment.ask(device.answer(to: push, ["deny": false]))
                if let state = try await supply.look(afterPush: push.messageId) {
                    conformance.record(.denyFalse, state)
                }
            }
        }
        if first.isTyped {
            try await withPush(.biometric, "a biometric approval", device, supply) { conformance, push in
                try await conformance.ask(.biometric, device.answer(to: push))
            }
        }
        try await answerWithoutHeaders(device, supply)
        if let late { try await answer(late.push, of: device, lateAfter: late.received) }
    }

    /// Requests the push that is answered only after it has expired.
    ///
    /// Returns `nil` if late answers are not tested, or if no push arrives.
    private mutating func latePush(
        _ device: EnrolledDevice,
        _ supply: any PushSupply
    ) async throws -> (push: ObservedPush, received: Duration)? {
        guard lateness != nil else {
            untried.append("Late answers take more than two minutes, so they need --late 125.")
            return nil
        }
        guard let push = try await next(.default, for: device, from: supply) else {
            untried.append("Late answers need one more push.")
            return nil
        }
        return (push, environment.elapsed())
    }

    /// Sends wrong answers, which must not change the push, and then approves the push.
    ///
    /// If the server accepts the approval, two more approvals follow.
    ///
    /// - Returns: Whether the login page showed the approval, or the responses show that the page polled.
    private mutating func approve(
        _ push: ObservedPush,
        _ device: EnrolledDevice,
        _ supply: any PushSupply
    ) async throws -> Bool {
        let response = device.secret.response(toBase64: push.challenge) ?? ""
        try await ask(.foreign, device.answer(to: push, signedBy: .random()))
        try await ask(.wrongResponse, device.answer(to: push, ["response": "AAAA"]))
        try await ask(.urlSafe, device.answer(to: push, ["response": .string(response.inURLSafeBase64)]))
        var bare = device.answer(to: push)
        bare.body = ["messageId": .string(push.messageId)]
        try await ask(.noToken, bare)
        bare.body = ["messageId": .string(push.messageId), "jwt": "none"]
        try await ask(.garbage, bare)
        try await ask(.noResponse, device.answer(to: push, ["response": .null]))
        let isTaken = try await ask(.approval, device.answer(to: push)) == "200"
        guard isTaken else { return false }
        let second = try await ask(
            .second(pageHasNotLooked: supply.seesLogins),
            device.answer(to: push)
        )
        if supply.seesLogins {
            let state = try await supply.look(afterPush: push.messageId)
            record(.login(after: "an approval", shows: "approved"), state ?? "unknown")
            try await ask(.third(pageHasLooked: true), device.answer(to: push))
            return state == "approved"
        }
        // A node stores the message until the login page polls. After the pause, the page has polled and the
        // message has been consumed.
        await environment.report("waiting until the login page polls: leave the page open")
        try await environment.pause(.seconds(Self.pageInterval))
        let third = try await ask(.third(pageHasLooked: false), device.answer(to: push))
        return second == "200" && third == "400"
    }

    private mutating func answerChallenges(_ device: EnrolledDevice, _ supply: any PushSupply) async throws {
        try await withPush(.challenge, "a wrong number", device, supply) { conformance, push in
            guard push.type == .challenge else { return }
            let numbers = push.numbers
            let wrong = (10...99).first { !numbers.contains($0) && $0 != push.number } ?? 10
            func answer(_ number: String) -> Question {
                device.answer(to: push, ["challengeResponse": .string(number)])
            }
            try await conformance.ask(.noNumeral, answer("none"))
            let found = try await conformance.ask(.wrongNumber, answer("\(wrong)"))
            conformance.settled.insert(.challenge)
            guard found == "400" else {
                return try await conformance.seeLogin(push, "denied", after: "a wrong number", supply)
            }
            let right = push.number.map { answer("\($0)") } ?? device.answer(to: push)
            try await conformance.ask(.afterWrongNumber, right)
            if let state = try await supply.look(afterPush: push.messageId) {
                conformance.record(.loginAfterWrongNumber, state)
            }
        }
        try await withPush(.challenge, "a missing number", device, supply) { conformance, push in
            try await conformance.ask(.noNumber, device.answer(to: push))
            try await conformance.seeLogin(push, "approved", after: "an approval without a number", supply)
        }
    }

    /// Sends an answer without the cookie, one without a version, and one whose content type is not JSON.
    ///
    /// If the server refuses one of these answers, a correct answer to the push follows.
    private mutating func answerWithoutHeaders(_ device: EnrolledDevice, _ supply: any PushSupply)
        async throws
    {
        let faults: [(what: String, check: ConformanceCheck, spoil: @Sendable (inout Question) -> Void)] = [
            ("an answer without the load balancer's cookie", .noCookie, { $0.cookie = nil }),
            ("an answer that names no version", .approvalWithoutVersion, { $0.version = nil }),
            ("an answer with another content type", .approvalOfOtherContent, { $0.content = "text/plain" }),
        ]
        for (what, check, spoil) in faults {
            try await withPush(.default, what, device, supply) { conformance, push in
                var question = device.answer(to: push)
                spoil(&question)
                guard try await conformance.ask(check, question) != "200" else { return }
                try await conformance.ask(.approval, device.answer(to: push))
            }
        }
    }

    private mutating func answer(
        _ push: ObservedPush,
        of device: EnrolledDevice,
        lateAfter received: Duration
    ) async throws {
        // The lateness is measured from the arrival of the push, so it includes the time of the earlier answers.
        let end = received + .seconds(lateness ?? 0)
        let seconds = Int((end - environment.elapsed()) / .seconds(1)) + 1
        for left in stride(from: max(0, seconds), to: 0, by: -1) {
            await environment.report("waiting until a push expires: \(left) s left")
            try await environment.pause(.seconds(1))
        }
        try await ask(.late, device.answer(to: push))
    }

    /// Runs a test with the next push of a type.
    ///
    /// If no push arrives, the test is recorded as skipped.
    private mutating func withPush(
        _ kind: PushType,
        _ what: String,
        _ device: EnrolledDevice,
        _ supply: any PushSupply,
        _ body: (inout Conformance, ObservedPush) async throws -> Void
    ) async throws {
        guard let push = try await next(kind, for: device, from: supply) else {
            return untried.append("No \(kind.rawValue) push arrived for \(what).")
        }
        try await body(&self, push)
    }

    /// Waits for the device's next push of a type, and checks the push's form.
    ///
    /// Returns `nil` if no push arrives.
    mutating func next(
        _ kind: PushType,
        for device: EnrolledDevice,
        from supply: any PushSupply
    ) async throws -> ObservedPush? {
        await environment.report("waiting for a push (\(kind.rawValue))")
        let push = try await supply.next(kind, for: device)
        if let push {
            record(
                ConformanceCheck("the signature of the push", always: ["made with the device's secret"]),
                push.signer(device)
            )
            checkForm(of: push)
        }
        return push
    }

    private mutating func seeLogin(
        _ push: ObservedPush,
        _ expected: String,
        after answer: String,
        _ supply: any PushSupply
    ) async throws {
        guard let state = try await supply.look(afterPush: push.messageId) else { return }
        record(.login(after: answer, shows: expected), state)
    }
}

extension ObservedPush {
    var challenge: String { claims["c"]?.plainText ?? "" }

    fileprivate func signer(_ device: EnrolledDevice) -> String {
        device.secret.hasSigned(token) ? "made with the device's secret" : "made with another secret"
    }
}

extension EnrolledDevice {
    /// Returns an answer to a push: an approval, unless `claims` change it.
    ///
    /// A null value in `claims` removes the claim.
    func answer(
        to push: ObservedPush,
        _ claims: [String: JSONValue] = [:],
        signedBy signer: SharedSecret? = nil
    ) -> Question {
        let response = JSONValue.optional(secret.response(toBase64: push.challenge))
        let all = ["response": response].merging(claims) { _, given in given }.filter { $0.value != .null }
        let token = (signer ?? secret).signedToken(claims: JSONValue.object(all).data)
        var question = Question(
            registration.endpoints.authentication,
            ["messageId": .string(push.messageId), "jwt": .string(token)]
        )
        question.cookie = push.loadBalancer
        return question
    }
}
