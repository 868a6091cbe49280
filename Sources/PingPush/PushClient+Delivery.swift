public import Foundation
import PingLogger
public import PushBridgeCore
package import PushBridgeNotifications
import PushBridgePlatform

#if canImport(UserNotifications)
public import UserNotifications
#endif

// The calls of an app's delegates. A push that is not ours is left alone. The answer comes after the outcome, and after
// 25 seconds at the latest, because the system ends an app that takes 30; an answer that is on its way then is still
// stored.
extension PushClient {
    /// Verifies and stores a push that came in the foreground, and tells how to show it.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - isolation: The caller's actor, which the payload does not leave.
    /// - Returns: How to show it, in no way if there is nothing to answer; `nil` if the push is not ours.
    public func presentation(
        of userInfo: [AnyHashable: Any],
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushPresentation? {
        guard let push = incoming(userInfo) else { return nil }
        return await outcome(within: PushDeadline.standard, on: configuration.clock, or: .list) { [self] in
            await arrival(of: push).presentation(at: configuration.now())
        }
    }

    /// Verifies and stores a push that came in the background, and tells what it brought.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - deadline: The longest that this may take.
    ///   - isolation: The caller's actor, which the payload does not leave.
    /// - Returns: What the push brought; `nil` if it is not ours.
    public func backgroundResult(
        of userInfo: [AnyHashable: Any],
        deadline: Duration = .seconds(25),
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushBackgroundResult? {
        guard let push = incoming(userInfo) else { return nil }
        return await outcome(within: deadline, on: configuration.clock, or: .failed) { [self] in
            await arrival(of: push).backgroundResult
        }
    }

    /// Does what a response to a banner asks for: stores the push, and sends an answer if the user gave one.
    /// - Parameters:
    ///   - actionId: The identifier of the action; see `PushAction.Kind`, `PushActions.defaultAction` and
    ///     `PushActions.dismissAction`.
    ///   - userInfo: The payload.
    ///   - text: What the user typed.
    ///   - isolation: The caller's actor, which the payload does not leave.
    /// - Returns: What came of it.
    public func perform(
        _ actionId: String,
        userInfo: [AnyHashable: Any],
        text: String? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushReaction {
        guard PushActions.knows(actionId), let push = incoming(userInfo) else { return .foreign }
        return await reaction(to: actionId, push, text: text)
    }

    /// Verifies and stores pushes that were delivered and never processed, as `deliveredNotifications` tells them.
    ///
    /// A push that cannot be stored is logged.
    /// - Parameters:
    ///   - delivered: The payloads; those that are not ours are left alone.
    ///   - dates: When each was delivered, for servers that do not say when they sent it; of those that are missing,
    ///     now.
    ///   - isolation: The caller's actor, which the payload does not leave.
    /// - Returns: Those that can still be answered, each once.
    public func receive(
        delivered: [[AnyHashable: Any]],
        at dates: [Date] = [],
        isolation: isolated (any Actor)? = #isolation
    ) async -> [PushNotification] {
        let now = configuration.now()
        var open: [PushNotification] = []
        for (index, push) in delivered.map(incoming).enumerated() {
            guard let push else { continue }
            let date = index < dates.count ? min(dates[index], now) : now
            if case .stored(let stored, _) = await arrival(of: push, at: date), stored.isAnswerable(at: now),
                !open.contains(where: { $0.id == stored.id })
            {
                open.append(stored)
            }
        }
        return open
    }

    /// The number at the app's icon: how many pushes can still be answered.
    /// - Returns: The number.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func badge() async throws -> Int {
        let now = configuration.now()
        return try await core.read { try $0.badge(at: now) }
    }
}

extension PushClient {
    /// Does what a response asks for unless it came another way before: then it is only waited for.
    package func perform(
        _ actionId: String,
        of response: HandledResponses.Key,
        userInfo: [AnyHashable: Any],
        text: String?,
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushReaction {
        guard PushActions.knows(actionId), let push = incoming(userInfo) else { return .foreign }
        return await withCheckedContinuation { continuation in
            let isFirst = responses.take(response) { continuation.resume(returning: $0) }
            guard isFirst else { return }
            Task { responses.end(response, await reaction(to: actionId, push, text: text)) }
        }
    }

    private func reaction(
        to actionId: String,
        _ push: Swift.Result<IncomingPush, any Error>,
        text: String?
    ) async -> PushReaction {
        let late = PushDeadline.late(actionId)
        return await outcome(within: PushDeadline.standard, on: configuration.clock, or: late) { [self] in
            await react(to: actionId, push, text: text)
        }
    }

    /// The push in a payload, or why it is refused; `nil` if it is not ours.
    private func incoming(_ userInfo: [AnyHashable: Any]) -> Swift.Result<IncomingPush, any Error>? {
        do {
            return try IncomingPush(userInfo, configuration.customPushHandlers).map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    /// Verifies and stores a push; a failure is logged.
    private func arrival(
        of push: Swift.Result<IncomingPush, any Error>,
        at date: Date? = nil
    ) async -> PushArrival {
        do {
            let received = try await receive(try push.get(), at: date)
            return .stored(received.notification, isNew: received.isNew)
        } catch let error as PushError {
            configuration.logger.e("A push was not stored.", error: error)
            guard case .messageParsingFailed = error else {
                return .postponed(reason: error.localizedDescription)
            }
            return .refused(reason: error.localizedDescription)
        } catch {
            configuration.logger.e("A push was not stored.", error: error)
            return .postponed(reason: error.localizedDescription)
        }
    }

    private func react(
        to actionId: String,
        _ push: Swift.Result<IncomingPush, any Error>,
        text: String?
    ) async -> PushReaction {
        switch await arrival(of: push).step(actionId, text: text, id: \.id) {
        case .ended(let reaction):
            return reaction
        case .answer(let answer, let push):
            do {
                guard try await self.answer(answer, to: push.id) else {
                    return .failed(push.id, reason: "The push was answered already.")
                }
                return .answered(push.id, isApproval: answer.isApproval)
            } catch {
                return .failed(push.id, reason: error.localizedDescription)
            }
        }
    }
}

#if canImport(UserNotifications)
extension PushClient {
    /// Does what a response to a banner asks for; see ``perform(_:userInfo:text:)``.
    ///
    /// Since iOS 27 a tap that starts an app comes with the options of its first scene, as `notificationResponse`, and to
    /// the delegate of the notification center as well if that was set before launching ended. Hand over both: whichever
    /// comes first, the push is stored and answered once, and the other way is told ``PushReaction/repeated`` after that.
    /// - Parameters:
    ///   - response: The response.
    ///   - isolation: The caller's actor, which the response does not leave.
    /// - Returns: What came of it.
    public func perform(
        _ response: UNNotificationResponse,
        isolation: isolated (any Actor)? = #isolation
    ) async -> PushReaction {
        await perform(
            response.actionIdentifier,
            of: response.key,
            userInfo: response.notification.request.content.userInfo,
            text: response.typedText
        )
    }
}
#endif
