@echo off
rem The honours command on Windows. On first use it sets up .venv with the core; what more a command
rem needs is added when one asks for it, or by `honours --set-up all`.
setlocal
set "HONOURS_CALLED=honours"
set "HONOURS_SET_UP=%~dp0scripts\start.py"
if "%~1"=="--set-up" goto start
if not exist "%~dp0.venv\Scripts\python.exe" goto start
fc /b "%~dp0requirements\core.lock" "%~dp0.venv\installed\core.lock" >nul 2>&1 || goto start
"%~dp0.venv\Scripts\python.exe" -I -m honours %*
exit /b %errorlevel%
:start
where py >nul 2>&1 && (py -3 "%HONOURS_SET_UP%" %*) || (python "%HONOURS_SET_UP%" %*)
exit /b %errorlevel%
