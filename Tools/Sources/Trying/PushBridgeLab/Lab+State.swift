import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals
import PushParity

extension Lab {
    /// The maximum number of steps in a state.
    ///
    /// The state does not contain the details of the steps. A window requests them separately.
    private static let shownSteps = 40
    /// The maximum number of pushes shown for each phone and the server.
    private static let shownPushes = 8
    /// The maximum number of accounts shown for each phone.
    private static let shownAccounts = 50

    /// The state that windows show.
    ///
    /// The newest steps and pushes come first.
    ///
    /// The size of the state is bounded, however many steps there are.
    var state: JSONValue {
        [
            "revision": .integer(revision),
            "name": .string(scenario.name),
            "settings": settings,
            "clock": [
                "now": .number(legacyScreen.now.timeIntervalSince1970), "isRunning": .bool(isClockRunning),
            ],
            "verdict": ["id": .string(verdict.rawValue), "words": .string(verdict.words)],
            "next": ["push": .string(nextPush), "credential": .string(nextCredential)],
            "count": .integer(scenario.steps.count),
            "undone": .integer(taken.count),
            "lane": json(of: lane),
            "isShared": .bool(scenario.settings.shared == true),
            "server": .array(loginPages),
            "phones": [
                "legacy": phone(.legacy, legacyScreen), "async": phone(.async, asyncScreen),
            ],
            "steps": .array(played.suffix(Self.shownSteps).reversed().map(\.json)),
        ]
    }

    /// Returns all events of a step; `nil` if no step has this number.
    func details(ofStep number: Int) -> JSONValue? {
        number > 0 && number <= played.count ? played[number - 1].details : nil
    }

    /// The name for the next push.
    var nextPush: String { unusedName("p", Set(scenario.steps.compactMap(\.made.push))) }
    /// The name for the next credential.
    var nextCredential: String { unusedName("user", Set(scenario.steps.compactMap(\.made.credential))) }

    private func unusedName(_ prefix: String, _ used: Set<String>) -> String {
        var number = used.count + 1
        while used.contains("\(prefix)\(number)") { number += 1 }
        return "\(prefix)\(number)"
    }

    private var settings: JSONValue {
        let settings = scenario.settings
        return [
            "version": .string((settings.version ?? .v8_0_2).rawValue),
            "sender": .string((settings.sender ?? .node).rawValue),
            "store": .string((settings.store ?? .memory).rawValue),
            "nodes": .string((settings.nodes ?? .single).rawValue),
            "shared": .bool(settings.shared == true),
            "policies": .bool(settings.policies == true),
            "severalDevices": .bool(settings.severalDevices == true),
        ]
    }

    /// The states of the login pages for the last pushes.
    ///
    /// The newest page comes first.
    private var loginPages: [JSONValue] {
        let states = Dictionary(asyncScreen.pushes.map { ($0.name, $0) }) { first, _ in first }
        var names = legacyScreen.pushes.map(\.name)
        names += asyncScreen.pushes.map(\.name).filter { !names.contains($0) }
        let own = Dictionary(legacyScreen.pushes.map { ($0.name, $0) }) { first, _ in first }
        return names.suffix(Self.shownPushes).reversed().map { name in
            let number = own[name]?.number ?? states[name]?.number
            return [
                "push": .string(name), "number": number.map(JSONValue.integer) ?? .null,
                "legacy": .string(own[name]?.state?.rawValue ?? "unknown"),
                "async": .string(states[name]?.state?.rawValue ?? "unknown"),
            ]
        }
    }
}

// MARK: - Phones

extension Lab {
    private func phone(_ side: APISide, _ screen: ScreenContents) -> JSONValue {
        let results = lastResults(side)
        let names = Dictionary(screen.pushes.map { ($0.messageId, $0.name) }) { first, _ in first }
        let profiles = profiles(of: screen)
        let pushes = screen.contents.notifications.sorted { $0.createdAt < $1.createdAt }
        return [
            "isLocked": .bool(screen.isLocked),
            "refusesFace": .bool(screen.refusesFace),
            "hasBiometrics": .bool(screen.hasBiometrics),
            "token": screen.contents.deviceToken.map { .string($0.tokenId) } ?? .null,
            "accounts": .array(accounts(profiles.prefix(Self.shownAccounts), screen, results)),
            "accountCount": .integer(profiles.count),
            "pushCount": .integer(pushes.count),
            "pushes": .array(
                pushes.suffix(Self.shownPushes).reversed().map { push in
                    let name = names[push.messageId]
                    return push.card(named: name, name.flatMap { results[$0] }, screen)
                }
            ),
        ]
    }

    /// Returns the accounts in the order of a user's screen: first accounts with push, then accounts that
    /// have only one-time passwords, and then all other accounts.
    private func profiles(of screen: ScreenContents) -> [AccountProfile] {
        var keys: Set<AccountKey> = []
        let all =
            screen.contents.pushCredentials.map(\.account) + screen.contents.oathCredentials.map(\.account)
            + screen.contents.accounts
        return all.filter { keys.insert($0.key).inserted }
    }

    /// Returns the accounts in the form of a user's screen, each with its credentials.
    private func accounts(
        _ profiles: some Sequence<AccountProfile>,
        _ screen: ScreenContents,
        _ results: [String: JSONValue]
    )
        -> [JSONValue]
    {
        profiles.map { profile in
            let key = profile.key
            let push = screen.contents.pushCredentials.first { $0.account.key == key }
            let oath = screen.contents.oathCredentials.first { $0.account.key == key }
            let name = [push?.id, oath?.id].compactMap { $0.flatMap { screen.credentials[$0] } }.first
            return [
                "credential": name.map(JSONValue.string) ?? .null,
                "issuer": .string(profile.customDisplayIssuer ?? profile.issuer),
                "account": .string(profile.customDisplayAccountName ?? profile.accountName),
                "isLocked": .bool(push?.isLocked ?? oath?.isLocked ?? false),
                "policy": (push?.lockingPolicy ?? oath?.lockingPolicy).map(JSONValue.string) ?? .null,
                "push": .bool(push != nil),
                "isKnown": .bool(push.map { screen.devices.contains($0.id) } ?? false),
                "oath": oath.map { $0.card(at: screen.now) } ?? .null,
                "result": name.flatMap { results[$0] } ?? .null,
            ]
        }
    }

    /// Returns the last result that the app received in the shown steps, for each push and each credential.
    private func lastResults(_ side: APISide) -> [String: JSONValue] {
        var results: [String: JSONValue] = [:]
        for step in played.suffix(Self.shownSteps) {
            guard let call = step.events[side]?.calls.last?.last else { continue }
            let words = ResultWords(call)
            for name in step.step.subjects {
                results[name] = [
                    "step": .integer(step.number), "verb": .string(step.step.verb.rawValue),
                    "ending": .string(words.ending.rawValue), "text": .string(words.text),
                ]
            }
        }
        return results
    }
}

extension Step {
    /// The name of the push or credential on which the step acts; empty if there is none.
    ///
    /// If the step acts on a push, the push's credential is not included.
    fileprivate var subjects: [String] {
        let members = members
        for member in ["push", "credential"] {
            if case .string(let name)? = members[member] { return [name] }
        }
        return []
    }
}

extension PushNotification {
    fileprivate func card(named name: String?, _ result: JSONValue?, _ screen: ScreenContents) -> JSONValue {
        let state =
            pending ? isExpired(at: screen.now) ? "expired" : "waiting" : approved ? "approved" : "denied"
        return [
            "id": .string(name ?? messageId),
            "push": name.map(JSONValue.string) ?? .null,
            "credential": screen.credentials[credentialId].map(JSONValue.string) ?? .null,
            "type": .string(pushType.rawValue),
            "message": .string(messageText ?? ""),
            "numbers": .array(numbers.map(JSONValue.integer)),
            "context": contextInfo.map(JSONValue.string) ?? .null,
            "payload": customPayload.map(JSONValue.string) ?? .null,
            "state": .string(state),
            "result": result ?? .null,
        ]
    }
}

extension OathCredential {
    fileprivate func card(at now: Date) -> JSONValue {
        let isTimed = oathType == .totp
        let left = period - Int(now.timeIntervalSince1970) % max(period, 1)
        return [
            "type": .string(oathType.rawValue),
            "code": isTimed ? .string(shownCode(at: now)) : .null,
            "left": isTimed ? .integer(left) : .null,
            "counter": isTimed ? .null : .integer(counter),
        ]
    }

    private func shownCode(at now: Date) -> String {
        do {
            return try code(at: now)
        } catch {
            return "no code"
        }
    }
}

// MARK: - Steps

extension PlayedStep {
    /// The kind of explanation for a difference.
    private enum Kind: String {
        /// The same behaviour in a different form.
        case form
        /// A difference by design, which the register lists.
        case design
        /// A difference that no register explains.
        case unexplained
    }

    private static let designed = Set((Divergence.register + Divergence.inPlace).map(\.id))

    private static func kind(of id: String?) -> Kind {
        guard let id else { return .unexplained }
        return designed.contains(id) ? .design : .form
    }

    /// The step as JSON, in a short form for the list of steps.
    fileprivate var json: JSONValue {
        let ids = findings.map { $0.id }
        let kinds = Set(ids.map(Self.kind))
        let verdict: ScenarioResult.Verdict =
            kinds.contains(.unexplained) ? .different : kinds.contains(.design) ? .differentByDesign : .same
        var shown: [JSONValue] = []
        var seen: Set<String?> = []
        for id in ids where seen.insert(id).inserted {
            shown.append([
                "id": id.map(JSONValue.string) ?? .null, "kind": .string(Self.kind(of: id).rawValue),
            ])
        }
        return [
            "number": .integer(number),
            "do": .string(step.verb.rawValue),
            "words": .string(step.verb.words),
            "parameters": .string(step.parameters),
            "on": step.side.map { .string($0.rawValue) } ?? .null,
            "verdict": .string(verdict.rawValue),
            "findings": .array(shown),
            "reports": .array(APISide.allCases.filter { receipts[$0] != nil }.map { .string($0.rawValue) }),
            "legacy": events[.legacy]?.json ?? .null,
            "async": events[.async]?.json ?? .null,
        ]
    }

    /// All events of the step.
    fileprivate var details: JSONValue {
        [
            "number": .integer(number),
            "findings": .array(
                findings.map { finding in
                    [
                        "id": finding.id.map(JSONValue.string) ?? .null,
                        "kind": .string(Self.kind(of: finding.id).rawValue),
                        "place": .string(finding.difference.place),
                        "legacy": .string(finding.difference.legacy?.indented ?? "nothing"),
                        "async": .string(finding.difference.async?.indented ?? "nothing"),
                    ]
                }
            ),
            "legacy": events[.legacy]?.details ?? .null,
            "async": events[.async]?.details ?? .null,
        ]
    }
}

extension PlayedStep.Events {
    fileprivate var json: JSONValue {
        [
            "calls": .array(
                calls.map { deliveries in
                    let words = deliveries.map { delivery in
                        let words = ResultWords(delivery)
                        return JSONValue.object([
                            "ending": .string(words.ending.rawValue), "text": .string(words.text),
                            "way": .string(words.way),
                        ])
                    }
                    return .array(words)
                }
            ),
            "requests": .array(requests.map { .string($0.request.requestTitle) }),
            "changes": .integer(changes.count),
        ]
    }

    fileprivate var details: JSONValue {
        [
            "calls": .array(calls.flatMap { $0.map { .string($0.indented) } }),
            "requests": .array(
                requests.map {
                    ["title": .string($0.request.requestTitle), "text": .string($0.request.indented)]
                }
            ),
            "changes": .array(
                changes.map { change in
                    .string(
                        "\(change.place): \(change.before?.text ?? "nothing") → \(change.after?.text ?? "nothing")"
                    )
                }
            ),
        ]
    }
}

/// The rows of the registers of divergences and equivalences, by id.
///
/// The lab's page describes differences with these rows.
enum Registers {
    static let json: JSONValue = .object(
        Dictionary(all.map { ($0.id, row($0)) }) { first, _ in first }
    )
    private static let all =
        Divergence.register + Divergence.inPlace + Equivalence.all + Equivalence.inPlace

    private static func row(_ divergence: Divergence) -> JSONValue {
        [
            "legacy": .string(divergence.legacy), "async": .string(divergence.async),
            "reason": .string(divergence.reason),
        ]
    }
}
