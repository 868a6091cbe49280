import Dispatch
import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

// AppleStandIns has no module PushBridgeTestSupport: its test target contains links to the files that it needs.
#if canImport(PushBridgeTestSupport)
import PushBridgeTestSupport
#endif

/// The result of a legacy call.
struct Report {
    /// The reported error; `nil` if the call succeeded.
    let error: (any Error)?
    /// Whether the result was reported on the caller's thread before the call returned.
    let isAtOnce: Bool
    /// Whether the result was reported on the main queue.
    let isOnMainQueue: Bool

    /// The number of the error; `nil` if the call succeeded, or if the error is neither an `FRError` nor a `URLError`.
    var code: Int? {
        (error as? any FRError & CustomNSError)?.errorCode ?? (error as? URLError)?.errorCode
    }
}

/// Makes a legacy call and waits for its callback.
func call(
    _ body: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void
) async -> (report: Report, recorder: Recorder) {
    let recorder = Recorder()
    body({ recorder.record(nil) }, { recorder.record($0) })
    recorder.callReturned()
    return (await recorder.first(), recorder)
}

/// Makes a legacy call, waits for its callback, and returns the result.
func outcome(_ body: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void) async -> Report {
    await call(body).report
}

/// Records the callbacks of one call.
final class Recorder: Sendable {
    private struct State {
        var reports: [Report] = []
        var hasReturned = false
    }

    private let state = Lock(State())
    private let firstReport = Awaited<Report>()
    private static let mainQueue = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
    private let caller = ObjectIdentifier(Thread.current)

    var count: Int { state.withValue(\.reports.count) }

    func record(_ error: (any Error)?) {
        let isHere = ObjectIdentifier(Thread.current) == caller
        let isMain = DispatchQueue.getSpecific(key: Self.mainQueue) != nil
        let report = state.withValue { state in
            let report = Report(
                error: error,
                isAtOnce: !state.hasReturned && isHere,
                isOnMainQueue: isMain
            )
            state.reports.append(report)
            return report
        }
        firstReport.provide(report)
    }

    init() { _ = Self.mainQueue }

    func callReturned() { state.withValue { $0.hasReturned = true } }

    /// Returns the result of the first callback.
    ///
    /// If no callback occurs, the result contains an error.
    func first() async -> Report {
        do {
            return try await firstReport.value("the call's first callback")
        } catch {
            return Report(error: error, isAtOnce: false, isOnMainQueue: false)
        }
    }
}
