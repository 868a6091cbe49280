import CredentialMigration
import Dispatch
import FRAuthenticator
import FRCore
import Foundation
import PushBridgeTestSupport
import Testing

/// The protocols and callbacks of the legacy API in an app whose default isolation is the main actor.
///
/// A test passes an object of one of the app's classes to the library, and calls the library from a background thread.
/// If the class were isolated to the main actor, the library would call the object outside this actor.
@Suite("An app whose default isolation is the main actor")
struct MainActorAppTests {
    @Test func aPolicyIsEvaluatedOnTheCallersThread() async throws {
        let calls = CallLog()
        let complies = await inBackground { () -> Bool in
            let evaluator = FRAPolicyEvaluator()
            let policies = Data(#"{"app":{"a":1}}"#.utf8).base64EncodedString()
            guard (try? evaluator.registerPolicies(policies: [AppPolicy(calls)])) != nil,
                let url = URL(string: "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&policies=\(policies)")
            else { return false }
            return evaluator.evaluate(uri: url).comply
        }
        #expect(complies)
        #expect((calls.elsewhere, calls.onMain) == (["evaluate()"], []))
    }

    @Test func aJailbreakDetectorIsAskedOnTheCallersThread() async {
        let calls = CallLog()
        let score = await inBackground { () -> Double in
            let detector = FRJailbreakDetector()
            detector.detectors = [AppDetector(calls)]
            return detector.analyze()
        }
        #expect(score == 0.5)
        #expect((calls.elsewhere, calls.onMain) == (["analyze()"], []))
    }

    /// The library never reads an app's `FRHistory`, so the test reads a history itself.
    @Test func aHistoryCanBeReadOnAnyThread() async {
        let lines = await inBackground { () -> [String] in
            let history: any FRHistory = AppHistory()
            return history.queue.sync { history.enableHistory ? history.logHistory : [] }
        }
        #expect(lines == ["started"])
    }

    // An app sets its storage, interceptor, session handler and logger for the whole process. So each of the following
    // tests runs in a separate process.
    #if compiler(>=6.2) && (os(Linux) || os(macOS))
    @Test func aStorageIsCalledOnTheThreadOfAnEnrolment() async {
        await #expect(processExitsWith: .success) {
            let calls = CallLog()
            let folder = try TemporaryFolder()
            StandardStore.folder = folder.url
            let failure = await inBackground { () -> String? in
                let (done, failure) = (DispatchSemaphore(value: 0), Guarded<String?>("not called back"))
                do {
                    try FRAClient.setStorage(storage: AppStorage(calls))
                } catch {
                    return "\(error)"
                }
                FRAClient.start()
                FRAClient.shared?.createMechanismFromUri(
                    uri: sampleCode,
                    onSuccess: { _ in
                        failure.withValue { $0 = nil }
                        done.signal()
                    },
                    onError: { error in
                        failure.withValue { $0 = "\(error)" }
                        done.signal()
                    }
                )
                done.wait()
                return failure.withValue { $0 }
            }
            #expect(failure == nil)
            #expect(calls.elsewhere.isSuperset(of: ["setAccount(account:)", "setMechanism(mechanism:)"]))
            #expect(calls.onMain == [])
        }
    }

    @Test func anInterceptorIsCalledOnTheCallersThreadAndASessionHandlerOnAnotherThread() async {
        await #expect(processExitsWith: .success) {
            let (seen, decided) = (CallLog(), CallLog())
            let server = try LoopbackServer(
                answer: "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:9\r\nContent-Length: 0\r\n\r\n"
            )
            let port = server.port
            await inBackground {
                RequestInterceptorRegistry.shared.registerInterceptors(interceptors: [AppInterceptor(seen)])
                RestClient.shared.setURLSessionConfiguration(config: nil, handler: AppSessionHandler(decided))
                let request = Request(url: "http://127.0.0.1:\(port)", method: .GET)
                _ = RestClient.shared.invokeSync(request: request, action: Action(type: .PUSH_REGISTER))
            }
            #expect(server.requests.count == 1)
            #expect((seen.elsewhere, seen.onMain) == (["intercept(request:action:)"], []))
            let redirected = "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
            #expect((decided.elsewhere, decided.onMain) == ([redirected], []))
        }
    }

    @Test func aLoggerIsCalledOnTheThreadThatLogs() async {
        await #expect(processExitsWith: .success) {
            let calls = CallLog()
            await inBackground {
                Log.setLogLevel(.all)
                Log.setCustomLogger(AppLogger(calls))
                Log.v("1")
                Log.i("2")
                Log.w("3")
                Log.e("4")
            }
            #expect((calls.elsewhere, calls.onMain) == (["verbose", "info", "warning", "error"], []))
        }
    }

    @Test func withCallsBackOnMainQueueClosuresRunOnTheMainActor() async {
        await #expect(processExitsWith: .success) {
            FRAClient.callsBackOnMainQueue = true
            let folder = try TemporaryFolder()
            StandardStore.folder = folder.url
            try FRAClient.setStorage(storage: AppStorage(CallLog()))
            FRAClient.start()
            let (texts, calls) = await useScreen()
            #expect(texts == ["babs", "loaded"])
            #expect((calls.onMain, calls.elsewhere) == (["enrolled", "loaded"], []))
        }
    }
    #endif
}

nonisolated var sampleCode: URL {
    URL(string: "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example")
        ?? URL(fileURLWithPath: "/")
}

/// Uses a screen on the main actor, and returns its texts and calls.
func useScreen() async -> (texts: [String], calls: CallLog) {
    let screen = EnrolmentScreen()
    await withCheckedContinuation { continuation in
        screen.scanned(sampleCode) { continuation.resume() }
    }
    await withCheckedContinuation { continuation in
        screen.load("http://127.0.0.1:9") { continuation.resume() }
    }
    return (screen.texts, screen.calls)
}
